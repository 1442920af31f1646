import type { V1Job, V1PodSpec, V1Secret } from '@kubernetes/client-node';

/** Pods that generate the load of one measurement. */
export type WantedPods = {
  /** The same for every measurement of a dashboard: it removes what it left behind by this. At most 63 letters and digits. */
  dashboard: string;
  count: number;
  /** Processes of each, and cores that it asks the cluster for. */
  cores: number;
  image: string;
  /** Where they join, as `generator --join` and `--key` take it. */
  join: string;
  fingerprint: string;
  /** Valid for this measurement alone. */
  token: string;
  /** What they may load, as `--allow` takes it. */
  allow: readonly string[];
  /** From when they are released; then the cluster ends them, whatever has become of the dashboard. */
  deadlineS: number;
};

/** In which namespace, under which name. */
export type Placed = { namespace: string; name: string };

/** Of every object that a dashboard makes. */
export const dashboardLabel = 'tls-toll/dashboard';
/** That the cluster gives every pod of a job. */
export const jobLabel = 'batch.kubernetes.io/job-name';

/** Ended pods stay for so long, so that their last words can be read. */
const keptS = 60;
/** A container that ends is started again, and a pod that is lost is replaced, but not forever. */
const mostFailuresOfPod = 6;
const userId = 1000;
const tokenDirectory = '/var/run/tls-toll';

/** Suspended, so that no pod starts before the Secret is there. */
export function jobOf(wanted: WantedPods, { namespace, name }: Placed): V1Job {
  const labels = labelsOf(wanted);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels },
    spec: {
      suspend: true,
      completionMode: 'Indexed',
      ...{ completions: wanted.count, parallelism: wanted.count },
      backoffLimit: mostFailuresOfPod * wanted.count,
      activeDeadlineSeconds: wanted.deadlineS,
      ttlSecondsAfterFinished: keptS,
      template: { metadata: { labels }, spec: podOf(wanted, name) },
    },
  };
}

/** What turns a suspended job into one that runs, as a merge patch. */
export const release = { spec: { suspend: false } };

/** Removed by the cluster along with its job. */
export function secretOf(wanted: WantedPods, { namespace, name }: Placed, jobUid: string): V1Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...{ name, namespace, labels: labelsOf(wanted) },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid: jobUid }],
    },
    type: 'Opaque',
    immutable: true,
    stringData: { token: wanted.token },
  };
}

/** A pod that takes the place of another has its name, so that it is known as the one that comes back. */
export function podNames({ name }: Placed, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index}`);
}

function podOf({ image, cores, join, fingerprint, allow }: WantedPods, name: string): V1PodSpec {
  const requests = { cpu: String(cores), memory: `${256 + 128 * cores}Mi` };
  return {
    restartPolicy: 'OnFailure',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 2,
    securityContext: {
      ...{ runAsNonRoot: true, runAsUser: userId, runAsGroup: userId, fsGroup: userId },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { [jobLabel]: name } } },
        ],
      },
    },
    containers: [
      {
        name: 'generator',
        image,
        args: [
          ...['generator', '--join', join, '--key', fingerprint],
          ...['--token-file', `${tokenDirectory}/token`, '--name', `${name}-$(JOB_COMPLETION_INDEX)`],
          ...['--cores', String(cores), ...allow.flatMap((each) => ['--allow', each])],
        ],
        resources: { requests, limits: { memory: requests.memory } },
        terminationMessagePolicy: 'FallbackToLogsOnError',
        securityContext: {
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'token', mountPath: tokenDirectory, readOnly: true },
          { name: 'scratch', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      { name: 'token', secret: { secretName: name, defaultMode: 0o440 } },
      { name: 'scratch', emptyDir: {} },
    ],
  };
}

function labelsOf({ dashboard }: WantedPods): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'tls-toll-generator',
    'app.kubernetes.io/managed-by': 'tls-toll',
    [dashboardLabel]: dashboard,
  };
}
