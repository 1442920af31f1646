import { setTimeout as pause } from 'node:timers/promises';
import type {
  CoreV1Event,
  KubeConfig,
  KubernetesListObject,
  KubernetesObject,
  V1Job,
  V1Pod,
  V1Secret,
  Watch,
} from '@kubernetes/client-node';
import { z } from 'zod';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import { detailsOf, problemOfPeer } from '../../base/text/foreign-errors.ts';
import { dashboardLabel, jobLabel, type Placed, release } from './pod-manifests.ts';

/** The calls to a cluster. Each throws cluster_unreachable, cluster_refused. */
export type Cluster = {
  namespace: string;
  /** Resolves to the UID. */
  createJob(job: V1Job): Promise<string>;
  createSecret(secret: V1Secret): Promise<void>;
  /** Lets the pods of a job start. */
  releaseJob(name: string): Promise<void>;
  /** With its pods and its Secret. Succeeds also when the job is gone already. */
  deleteJob(name: string): Promise<void>;
  /** Jobs that a dashboard created. */
  jobNames(dashboard: string): Promise<string[]>;
  /** Reports a job, its pods, and its events, now and when they change, until the signal is aborted. Rejects when that is not allowed. */
  watchJob(name: string, said: Watched, signal: AbortSignal): Promise<void>;
};

type Client = typeof import('@kubernetes/client-node');

/** From a kubeconfig, or from inside the cluster. Throws client_missing, cluster_unreachable. */
export async function openCluster(): Promise<Cluster> {
  const client = await loadClient();
  const config = readKubeConfig(client);
  const batch = config.makeApiClient(client.BatchV1Api);
  const core = config.makeApiClient(client.CoreV1Api);
  const namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
  const asMergePatch = client.setHeaderOptions('Content-Type', client.PatchStrategy.MergePatch);
  const ask = async <T>(doing: string, work: () => Promise<T>) => {
    try {
      return await work();
    } catch (error) {
      throw clusterProblem(error, doing, namespace);
    }
  };
  const placed = (name: string): Placed => ({ namespace, name });
  return {
    namespace,
    createJob: (body) =>
      ask('create a job', async () => {
        const { metadata } = await batch.createNamespacedJob({ namespace, body });
        if (metadata?.uid === undefined) throw new Error('the job has no UID');
        return metadata.uid;
      }),
    createSecret: (body) =>
      ask('create a secret', async () => void (await core.createNamespacedSecret({ namespace, body }))),
    releaseJob: (name) =>
      ask('release a job', async () => {
        await batch.patchNamespacedJob({ ...placed(name), body: release }, asMergePatch);
      }),
    deleteJob: (name) =>
      ask('delete a job', async () => {
        const asked = { ...placed(name), propagationPolicy: 'Background' };
        await batch.deleteNamespacedJob(asked).catch(unlessGone);
      }),
    jobNames: (dashboard) =>
      ask('list jobs', async () => {
        const labelSelector = `${dashboardLabel}=${dashboard}`;
        const { items } = await batch.listNamespacedJob({ namespace, labelSelector });
        return items.flatMap(({ metadata }) => metadata?.name ?? []);
      }),
    async watchJob(name, said, signal) {
      const around = { watch: new client.Watch(config), signal };
      const [jobs, pods, events] = [
        { fieldSelector: `metadata.name=${name}` },
        { labelSelector: `${jobLabel}=${name}` },
        { fieldSelector: `involvedObject.kind=Job,involvedObject.name=${name}` },
      ];
      const inNamespace = `/namespaces/${namespace}`;
      await Promise.all([
        ask('list jobs', () =>
          watchList(
            { ...around, path: `/apis/batch/v1${inNamespace}/jobs`, query: jobs },
            { list: () => batch.listNamespacedJob({ namespace, ...jobs }), heard: said.job },
          ),
        ),
        ask('list pods', () =>
          watchList(
            { ...around, path: `/api/v1${inNamespace}/pods`, query: pods },
            { list: () => core.listNamespacedPod({ namespace, ...pods }), heard: said.pod },
          ),
        ),
        ask('list events', () =>
          watchList(
            { ...around, path: `/api/v1${inNamespace}/events`, query: events },
            { list: () => core.listNamespacedEvent({ namespace, ...events }), heard: said.event },
          ),
        ),
      ]);
    },
  };
}

/** An optional peer dependency: most installations have no cluster. */
async function loadClient(): Promise<Client> {
  try {
    return await import('@kubernetes/client-node');
  } catch (error) {
    throw problem(
      'client_missing',
      'Generator pods need @kubernetes/client-node, which is not installed. Install it beside tls-toll: npm install @kubernetes/client-node@2.',
      { cause: error },
    );
  }
}

function readKubeConfig({ KubeConfig: Config }: Client): KubeConfig {
  const config = new Config();
  try {
    config.loadFromDefault();
  } catch (error) {
    throw problem(
      'cluster_unreachable',
      {
        detail: 'The kubeconfig cannot be read (details). Correct it, or name another one in KUBECONFIG.',
        ...detailsOf(error),
      },
      { cause: error },
    );
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null) {
    throw problem(
      'cluster_unreachable',
      'The kubeconfig has no current context that names a cluster. Choose one: kubectl config use-context NAME.',
    );
  }
  if (cluster.server === nowhere) {
    throw problem(
      'cluster_unreachable',
      'There is no kubeconfig, and this is not a pod of a cluster. Name a kubeconfig in KUBECONFIG.',
    );
  }
  return config;
}

/** The client's default when it finds no configuration. */
const nowhere = 'http://localhost:8080';

function unlessGone(error: unknown): void {
  const isGone = error instanceof Error && 'code' in error && error.code === 404;
  if (!isGone) throw error;
}

/** Called with each object as it is now, and when it is deleted. */
type Heard<Kind> = (object: Kind, deleted: boolean) => void;
type Watched = { job: Heard<V1Job>; pod: Heard<V1Pod>; event: Heard<CoreV1Event> };

type Followed = {
  watch: Watch;
  path: string;
  query: Record<string, string>;
  signal: AbortSignal;
};

/** Pause between two watches, for a server that ends each one at once. */
const againMs = 1000;

/**
 * Lists the objects, then watches for changes from the version of the list, as Kubernetes clients do. Lists again when the watch ends or
 * its version is too old. Resolves when the signal is aborted; rejects when listing fails.
 */
async function watchList<Kind extends KubernetesObject>(
  { watch, path, query, signal }: Followed,
  { list, heard }: { list(): Promise<KubernetesListObject<Kind>>; heard: Heard<Kind> },
): Promise<void> {
  while (!signal.aborted) {
    const { items, metadata } = await list();
    if (signal.aborted) return;
    for (const item of items) heard(item, false);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const from = { ...query, resourceVersion: metadata?.resourceVersion };
    const watching = await watch.watch(
      path,
      from,
      (type: string, object: Kind) => {
        if (signal.aborted) return;
        if (type === 'ERROR') end();
        else if (type !== 'BOOKMARK') heard(object, type === 'DELETED');
      },
      () => end(),
    );
    const leave = () => watching.abort();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    await ended;
    watching.abort();
    signal.removeEventListener('abort', leave);
    await pause(againMs, undefined, { signal }).catch(() => {});
  }
}

/** The cluster's own message and what to do about it, one sentence each. */

/** `metav1.Status`, of which only the message is used. */
const statusSchema = z.looseObject({ message: z.string().min(1) });
/** `ApiException` of the client: the answer of the API server. */
const answerSchema = z.looseObject({ code: z.int(), body: z.unknown() });

/** @param doing such as “create a job” */
function clusterProblem(error: unknown, doing: string, namespace: string): ProblemError {
  const answer = answerSchema.safeParse(error);
  if (!answer.success) {
    const advice = 'Check the server in the kubeconfig, and that it can be reached from here.';
    return problemOfPeer('cluster_unreachable', 'The cluster’s API server', error, advice);
  }
  const { code, body } = answer.data;
  const said = messageIn(body);
  const words = said === '' ? `status ${code}` : said;
  return problem(
    'cluster_refused',
    `The cluster refused to ${doing} (${words}). ${adviceFor(code, words, namespace)}`,
    { cause: error },
  );
}

function adviceFor(code: number, words: string, namespace: string): string {
  if (/exceeded quota|must specify/.test(words))
    return `Ask for fewer pods or cores, or raise the quota of the namespace ${namespace}.`;
  if (code === 401) return 'Renew the credentials in the kubeconfig.';
  if (code === 403) return `Grant the role in public/deploy/kubernetes.yaml in the namespace ${namespace}.`;
  if (code === 404)
    return `Make the namespace ${namespace}, or name another one in the kubeconfig’s context.`;
  if (code === 422) return 'Check TLS_TOLL_PODS and the target’s name.';
  return 'Try again later.';
}

/** @param body a Status, as text or parsed */
function messageIn(body: unknown): string {
  const status = statusSchema.safeParse(typeof body === 'string' ? parsed(body) : body);
  return status.success ? shortened(status.data.message) : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Shortens a text to a part of a sentence: one line, without a full stop. */
export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}

const longest = 400;
