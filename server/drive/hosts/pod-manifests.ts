import type { V1Job, V1PodSpec, V1Secret } from '@kubernetes/client-node';

export type WantedPods = {
  /** Identifies the dashboard, so that it finds the jobs it left behind. At most 63 letters and digits. */
  dashboard: string;
  count: number;
  /** Processes of each pod, and the CPU it requests. */
  cores: number;
  image: string;
  /** Dashboard to join: the values of `generator --join` and `--key`. */
  join: string;
  fingerprint: string;
  /** Valid for this run only. */
  token: string;
  /** Targets they may load: values of `--allow`. */
  allow: readonly string[];
  /** Counted from the release. The cluster then ends the pods, even if the dashboard has died. */
  deadlineS: number;
};

export type Placed = { namespace: string; name: string };

/** On every object that a dashboard creates. */
export const dashboardLabel = 'tls-toll/dashboard';
/** The cluster sets it on every pod of a job. */
export const jobLabel = 'batch.kubernetes.io/job-name';

/** How long ended pods stay, so that their logs can be read. */
const keptS = 60;
/** Limits how often the cluster replaces a pod. */
const mostFailuresOfPod = 6;
const userId = 1000;
const tokenDirectory = '/var/run/tls-toll';

/** Suspended, so that no pod starts before its Secret exists. */
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

/** A merge patch that lets a suspended job run. */
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

/** Names of generators. A pod that replaces a lost one joins under the same name. */
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
