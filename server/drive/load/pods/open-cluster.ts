import type { KubeConfig, V1Job, V1Secret } from '@kubernetes/client-node';
import { problem } from '../../../../shared/base/problem.ts';
import { clusterProblem } from './cluster-words.ts';
import { dashboardLabel, jobLabel, type Placed, release } from './pod-manifests.ts';
import { type Watched, watchList } from './watch-list.ts';

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
      `The kubeconfig cannot be read: ${(error as Error).message}. Correct it, or name another one in KUBECONFIG.`,
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
