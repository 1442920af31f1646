import { randomBytes } from 'node:crypto';
import { problem } from '../../../../shared/base/problem.ts';
import type { Cluster } from './open-cluster.ts';
import { jobOf, type Placed, podNames, secretOf, type WantedPods } from './pod-manifests.ts';
import { type Obstacle, obstacleOfEvent, obstacleOfJob, obstacleOfPod } from './pod-obstacles.ts';

/** Pods that generate, from their creation to their end. */
export type GeneratorPods = {
  /** As which they join, also those that the cluster makes in place of lost ones. */
  names: readonly string[];
  /** Rejects with pods_refused once it is plain that they will not run, or with what the cluster answers. Never resolves. */
  refused: Promise<never>;
  /** What keeps them from running right now, in a sentence; empty for nothing that is known. */
  obstacle(): string;
  /** They are on their way: nobody watches them anymore. */
  joined(): void;
  /** Removes them, with the Secret. Throws cluster_unreachable, cluster_refused. */
  end(): Promise<void>;
};

/** For an obstacle that may pass. */
const patienceMs = 60_000;

/**
 * Creates a job that is suspended, then its Secret, which the cluster removes along with it, and then lets its pods start. Whatever
 * fails in between takes back what is there. Throws cluster_unreachable, cluster_refused.
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

/** Removes what this dashboard left behind when it died. Resolves to how many jobs that were. */
export async function sweepPods(cluster: Cluster, dashboard: string): Promise<number> {
  const names = await cluster.jobNames(dashboard);
  await Promise.all(names.map((name) => cluster.deleteJob(name)));
  return names.length;
}

function followPods(cluster: Cluster, { name }: Placed, names: readonly string[]): GeneratorPods {
  const watching = new AbortController();
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const obstacles = new Map<string, Obstacle>();
  let patience: NodeJS.Timeout | undefined;
  const stopWatching = () => {
    watching.abort();
    clearTimeout(patience);
  };
  const refuse = (error: unknown) => {
    stopWatching();
    reject(error);
  };
  const note = (of: string, obstacle: Obstacle | null) => {
    if (watching.signal.aborted) return;
    if (obstacle?.final === true) return refuse(refusalOf(obstacle));
    if (obstacle === null) obstacles.delete(of);
    else obstacles.set(of, obstacle);
    const [first] = obstacles.values();
    if (first === undefined) {
      clearTimeout(patience);
      patience = undefined;
    } else {
      patience ??= setTimeout(() => refuse(refusalOf(firstOf(obstacles) ?? first)), patienceMs);
    }
  };
  cluster
    .watchJob(
      name,
      {
        job: (job, deleted) => note('job', deleted ? removed : obstacleOfJob(job)),
        pod: (pod, deleted) => note(pod.metadata?.uid ?? '', deleted ? null : obstacleOfPod(pod)),
        event: (event, deleted) => note('event', deleted ? null : obstacleOfEvent(event)),
      },
      watching.signal,
    )
    .catch(refuse);
  // Whoever waits for the pods hears it; nobody has to.
  refused.catch(() => {});
  return {
    ...{ names, refused },
    obstacle: () => firstOf(obstacles)?.words ?? '',
    joined: stopWatching,
    end() {
      stopWatching();
      return cluster.deleteJob(name);
    },
  };
}

const removed: Obstacle = {
  words: 'Somebody deleted the job of the pods.',
  advice: 'Repeat the run.',
  final: true,
};

function firstOf(obstacles: ReadonlyMap<string, Obstacle>): Obstacle | undefined {
  const [first] = obstacles.values();
  return first;
}

function refusalOf({ words, advice }: Obstacle): Error {
  return problem('pods_refused', `${words} ${advice}`);
}
