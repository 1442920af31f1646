import { deskVariable } from './k6-pair-runtime.ts';

export type TestRunWish = {
  /** Of all three objects. */
  name: string;
  /** Of k6: each pod has its execution segment. */
  pods: number;
  image: string;
  script: string;
  /** PEM of the authorities to trust; null for those of the image. */
  authorities: string | null;
  /** Where virtual users ask for orders, with its secret path. */
  orders: string;
};

type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    labels: Record<string, string>;
    ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string }[];
  };
} & Record<string, unknown>;

export type KubernetesList = { apiVersion: 'v1'; kind: 'List'; items: KubernetesObject[] };

const version = 'k6.io/v1alpha1';
const scriptFile = 'pairs.js';
const authoritiesFile = 'authorities.pem';
/** Where the k6-operator mounts the ConfigMap of the script. */
const mounted = '/test';

/**
 * A run of the k6-operator: its script in a ConfigMap, the address of the order desk in a Secret, and the TestRun. The operator
 * removes the TestRun when its pods have ended, and they end when nobody answers at the desk.
 * @param owner `uid` of the TestRun, once it is known: with it, Kubernetes removes the other two along with the TestRun
 */
export function writeTestRun(wish: TestRunWish, owner: string | null = null): KubernetesList {
  const { name, pods, image, script, authorities, orders } = wish;
  // The k6-operator labels its pods in the same way, so that one question finds all.
  const labels = { 'app.kubernetes.io/managed-by': 'tls-toll', k6_cr: name };
  const owners =
    owner === null ? {} : { ownerReferences: [{ apiVersion: version, kind: 'TestRun', name, uid: owner }] };
  const owned = { name, labels, ...owners };
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: owned },
        data: { [scriptFile]: script, ...(authorities === null ? {} : { [authoritiesFile]: authorities }) },
      },
      { ...{ apiVersion: 'v1', kind: 'Secret', metadata: owned }, type: 'Opaque', stringData: { orders } },
      {
        ...{ apiVersion: version, kind: 'TestRun', metadata: { name, labels } },
        spec: {
          parallelism: pods,
          cleanup: 'post',
          script: { configMap: { name, file: scriptFile } },
          // No report of its use to anybody. The operator adds the segment, and starts all pods together.
          arguments: '--no-color --log-format=raw --no-usage-report',
          // Without an own one it would get the address of the desk as well.
          initializer: { image },
          runner: {
            image,
            env: environmentOf(name, authorities !== null),
            resources: { requests: { cpu: '500m', memory: '256Mi' } },
          },
        },
      },
    ],
  };
}

function environmentOf(name: string, trusts: boolean): object[] {
  return [
    { name: deskVariable, valueFrom: { secretKeyRef: { name, key: 'orders' } } },
    // Both sides speak HTTP/1.1.
    { name: 'GODEBUG', value: 'http2client=0' },
    { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
    ...(trusts ? [{ name: 'SSL_CERT_FILE', value: `${mounted}/${authoritiesFile}` }] : []),
  ];
}
