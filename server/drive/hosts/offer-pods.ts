import { randomBytes } from 'node:crypto';
import type { CoreV1Event, V1ContainerStatus, V1Job, V1Pod } from '@kubernetes/client-node';
import { problem } from '../../../shared/base/problem.ts';
import type { GeneratorHosts, HostPool } from './generator-hosts.ts';
import { type Cluster, openCluster, shortened } from './open-cluster.ts';
import { jobOf, type Placed, podNames, secretOf, type WantedPods } from './pod-manifests.ts';

/** The same for every run. */
type Offered = Pick<WantedPods, 'dashboard' | 'image' | 'join' | 'fingerprint'> & {
  /** Pods of one run. */
  most: number;
};

/** Creates generators in a cluster for a run. */
export type PodsOffer = {
  most: number;
  /** Throws client_missing, cluster_unreachable, cluster_refused. */
  start(wanted: Pick<WantedPods, 'count' | 'cores' | 'allow' | 'deadlineS'>): Promise<JoiningPods>;
};

export type JoiningPods = Omit<GeneratorPods, 'end'> & {
  /** Holds these pods only. */
  pool: HostPool;
  /** Removes the pods and revokes their token. */
  end(): Promise<void>;
};

/**
 * First removes what this dashboard left behind in the cluster when it died. Ignores a failure: the first run that asks for pods
 * reports the same one.
 */
export function offerPods(hosts: GeneratorHosts, { most, ...offered }: Offered): PodsOffer {
  const swept = openCluster()
    .then((cluster) => sweepPods(cluster, offered.dashboard))
    .catch(() => {});
  return {
    most,
    async start(wanted) {
      await swept;
      return join(hosts, await openCluster(), { ...offered, ...wanted });
    },
  };
}

async function join(
  hosts: GeneratorHosts,
  cluster: Cluster,
  wanted: Omit<WantedPods, 'token'>,
): Promise<JoiningPods> {
  const token = randomBytes(32).toString('hex');
  const { pool, close } = hosts.invite(token);
  try {
    const pods = await startPods(cluster, { ...wanted, token });
    return {
      ...pods,
      pool,
      async end() {
        close();
        await pods.end();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Pods that generate, from their creation to their end. */
type GeneratorPods = {
  /** Under which they join. A pod that replaces a lost one has the same name. */
  names: readonly string[];
  /** Rejects with pods_refused once they certainly will not run, or with the cluster's refusal. Never resolves. */
  refused: Promise<never>;
  /** The reason why they are not running right now, in a sentence; empty when nothing is known. */
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

/** Why pods do not run. One that is not final may pass: a node may be added, a registry may answer again. */
type PodProblem = { words: string; advice: string; final: boolean };

/** Reasons of a waiting container that stay until somebody changes something. */
const image = ['ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName', 'ErrImagePull'];
const container = ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'];
/** Exit codes from here on mean that a signal killed the container. Kubernetes starts it again. */
const firstSignal = 128;

function problemOfPod(pod: V1Pod): PodProblem | null {
  const name = pod.metadata?.name ?? 'a pod';
  const [status] = pod.status?.containerStatuses ?? [];
  const waiting = problemOfContainer(name, status);
  if (waiting !== null) return waiting;
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False') return null;
  return {
    words: `The cluster has no place for the pod ${name}: ${shortened(scheduled.message ?? scheduled.reason ?? '')}.`,
    advice: 'Ask for fewer pods or processes, or add a node: each pod needs one of its own.',
    final: false,
  };
}

function problemOfContainer(name: string, status: V1ContainerStatus | undefined): PodProblem | null {
  const { waiting, terminated } = status?.state ?? {};
  const ended = terminated ?? status?.lastState?.terminated;
  if (waiting?.reason !== undefined && image.includes(waiting.reason)) {
    return {
      words: `The image of the pod ${name} cannot be pulled: ${said(waiting)}.`,
      advice: 'Check TLS_TOLL_PODS, and that the nodes may pull it.',
      // Kubernetes tries again. ImagePullBackOff says that it failed repeatedly.
      final: waiting.reason !== 'ErrImagePull',
    };
  }
  if (waiting?.reason !== undefined && container.includes(waiting.reason)) {
    return {
      words: `The pod ${name} cannot start: ${said(waiting)}.`,
      advice: 'Check the image in TLS_TOLL_PODS.',
      final: true,
    };
  }
  if (ended === undefined || ended.exitCode === 0 || ended.exitCode >= firstSignal) return null;
  return {
    words: `The generator in the pod ${name} ended with code ${ended.exitCode}: ${said(ended)}.`,
    advice: 'Check that TLS_TOLL_PODS is the image of this version.',
    final: true,
  };
}

/** A quota or an admission rule. No pod exists then, so only the job has an event. */
function problemOfEvent({ reason, message }: CoreV1Event): PodProblem | null {
  if (reason !== 'FailedCreate') return null;
  const words = shortened(message ?? '');
  return {
    words: `The cluster does not create the pods: ${words}.`,
    advice: /quota/.test(words)
      ? 'Ask for fewer pods or processes, or raise the quota.'
      : 'Ask whoever runs the cluster to permit them.',
    final: true,
  };
}

/** The job has failed, for example at its deadline. */
function problemOfJob({ status }: V1Job): PodProblem | null {
  const failed = status?.conditions?.find(({ type, status: is }) => type === 'Failed' && is === 'True');
  if (failed === undefined) return null;
  return {
    words: `The cluster ended the pods: ${shortened(failed.message ?? failed.reason ?? '')}.`,
    advice: 'Read the logs of its pods.',
    final: true,
  };
}

function said({ reason, message }: { reason?: string; message?: string }): string {
  return shortened(message ?? reason ?? 'no reason was given');
}
