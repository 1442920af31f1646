import { randomBytes } from 'node:crypto';
import { problem } from '../../../../shared/base/problem.ts';
import type { Cluster } from './open-cluster.ts';
import { jobOf, type Placed, podNames, secretOf, type WantedPods } from './pod-manifests.ts';
import { type PodProblem, problemOfEvent, problemOfJob, problemOfPod } from './pod-problems.ts';

/** Pods that generate, from their creation to their end. */
export type GeneratorPods = {
  /** Under which they join. A pod that replaces a lost one has the same name. */
  names: readonly string[];
  /** Rejects with pods_refused once they certainly will not run, or with the cluster's refusal. Never resolves. */
  refused: Promise<never>;
  /** What keeps them from running right now, in a sentence; empty when nothing is known. */
  currentProblem(): string;
  /** All have joined: stops watching them. */
  joined(): void;
  /** Removes them, with the Secret. Throws cluster_unreachable, cluster_refused. */
  end(): Promise<void>;
};

/** How long a problem that may pass can last. */
const patienceMs = 60_000;

/**
 * Creates a suspended job, then its Secret, which the cluster removes along with the job, then releases the job. Deletes the job when
 * a later step fails. Throws cluster_unreachable, cluster_refused.
 */
export async function startPods(cluster: Cluster, wanted: WantedPods): Promise<GeneratorPods> {
  const placed = { namespace: cluster.namespace, name: `tls-toll-${randomBytes(5).toString('hex')}` };
  const uid = await cluster.createJob(jobOf(wanted, placed));
  try {
    await cluster.createSecret(secretOf(wanted, placed, uid));
    await cluster.releaseJob(placed.name);
  } catch (error) {
    await cluster.deleteJob(placed.name).catch(() => {});
    throw error;
  }
  return followPods(cluster, placed, podNames(placed, wanted.count));
}

/** Removes the jobs that this dashboard left behind when it died. Resolves to their number. */
export async function sweepPods(cluster: Cluster, dashboard: string): Promise<number> {
  const names = await cluster.jobNames(dashboard);
  await Promise.all(names.map((name) => cluster.deleteJob(name)));
  return names.length;
}

function followPods(cluster: Cluster, { name }: Placed, names: readonly string[]): GeneratorPods {
  const watching = new AbortController();
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const problems = new Map<string, PodProblem>();
  let patience: NodeJS.Timeout | undefined;
  const stopWatching = () => {
    watching.abort();
    clearTimeout(patience);
  };
  const refuse = (error: unknown) => {
    stopWatching();
    reject(error);
  };
  const note = (of: string, found: PodProblem | null) => {
    if (watching.signal.aborted) return;
    if (found?.final === true) return refuse(refusalOf(found));
    if (found === null) problems.delete(of);
    else problems.set(of, found);
    const [first] = problems.values();
    if (first === undefined) {
      clearTimeout(patience);
      patience = undefined;
    } else {
      patience ??= setTimeout(() => refuse(refusalOf(firstOf(problems) ?? first)), patienceMs);
    }
  };
  cluster
    .watchJob(
      name,
      {
        job: (job, deleted) => note('job', deleted ? removed : problemOfJob(job)),
        pod: (pod, deleted) => note(pod.metadata?.uid ?? '', deleted ? null : problemOfPod(pod)),
        event: (event, deleted) => note('event', deleted ? null : problemOfEvent(event)),
      },
      watching.signal,
    )
    .catch(refuse);
  // A run that does not wait for the pods leaves the rejection unhandled.
  refused.catch(() => {});
  return {
    ...{ names, refused },
    currentProblem: () => firstOf(problems)?.words ?? '',
    joined: stopWatching,
    end() {
      stopWatching();
      return cluster.deleteJob(name);
    },
  };
}

const removed: PodProblem = {
  words: 'Somebody deleted the job of the pods.',
  advice: 'Repeat the run.',
  final: true,
};

function firstOf(problems: ReadonlyMap<string, PodProblem>): PodProblem | undefined {
  const [first] = problems.values();
  return first;
}

function refusalOf({ words, advice }: PodProblem): Error {
  return problem('pods_refused', `${words} ${advice}`);
}
