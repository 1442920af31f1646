import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchV1Api, CoreV1Api, KubeConfig, RbacAuthorizationV1Api } from '@kubernetes/client-node';
import type { Images } from './make-images.ts';
import { startNode } from './start-node.ts';
import { startProgram, until } from './start-program.ts';

export type RealCluster = {
  /** Of somebody who may do anything. */
  kubeconfig: string;
  /** Reached from every pod. */
  address: string;
  core: CoreV1Api;
  batch: BatchV1Api;
  rbac: RbacAuthorizationV1Api;
  /** A kubeconfig of somebody else, for a namespace. */
  kubeconfigOf(user: string, namespace: string): string;
};

const address = '10.213.0.1';
const server = `https://${address}:6443`;
const users = { admin: 'system:masters', dashboard: 'dashboards', nobody: 'strangers' };

/** etcd, an API server, its controllers and two nodes, in the namespaces of this process. */
export async function startCluster(
  directory: string,
  binaries: string,
  images: Images,
): Promise<RealCluster> {
  const command = (name: string) => join(binaries, name);
  const start = (name: string, path: string, args: readonly string[]) =>
    startProgram(directory, name, path, args);
  for (const node of [address, '10.213.0.2']) {
    execFileSync('ip', ['addr', 'add', `${node}/32`, 'dev', 'lo']);
  }
  execFileSync('sysctl', ['-qw', 'net.ipv4.ip_forward=1']);
  const tokens = Object.entries(users).map(([name, group]) => `${name}-token,${name},${name},${group}\n`);
  writeFileSync(join(directory, 'tokens.csv'), tokens.join(''), { mode: 0o600 });
  const key = join(directory, 'accounts.pem');
  execFileSync('openssl', ['genrsa', '-out', key, '2048'], { stdio: 'ignore' });
  start('etcd', 'etcd', ['--data-dir', join(directory, 'etcd')]);
  start('kube-apiserver', command('kube-apiserver'), [
    ...['--etcd-servers=http://127.0.0.1:2379', '--secure-port=6443', `--advertise-address=${address}`],
    ...[
      `--cert-dir=${join(directory, 'certificates')}`,
      `--token-auth-file=${join(directory, 'tokens.csv')}`,
    ],
    ...[`--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
    ...['--service-account-issuer=https://kubernetes.default.svc', '--service-cluster-ip-range=10.96.0.0/24'],
    ...['--authorization-mode=Node,RBAC', '--kubelet-preferred-address-types=InternalIP'],
  ]);
  const kubeconfigOf = (user: string, namespace: string) => {
    const path = join(directory, `${user}-${namespace}.kubeconfig`);
    writeFileSync(path, kubeconfig(join(directory, 'certificates/apiserver.crt'), user, namespace), {
      mode: 0o600,
    });
    return path;
  };
  const admin = kubeconfigOf('admin', 'default');
  const config = new KubeConfig();
  const core = await until('the API server', 120, async () => {
    config.loadFromFile(admin);
    const api = config.makeApiClient(CoreV1Api);
    await api.listNode();
    return api;
  });
  const alone = [`--kubeconfig=${admin}`, '--leader-elect=false'];
  const accounts = `--service-account-private-key-file=${key}`;
  start('kube-controller-manager', command('kube-controller-manager'), [...alone, accounts]);
  start('kube-scheduler', command('kube-scheduler'), alone);
  for (const number of [1, 2]) {
    const own = join(directory, `node-${number}`);
    mkdirSync(own);
    await startNode({
      directory: own,
      number,
      address: `10.213.0.${number}`,
      kubelet: command('kubelet'),
      kubeconfig: admin,
      images,
    });
  }
  await until('two ready nodes', 180, async () => {
    const { items } = await core.listNode();
    const ready = items.filter(({ status }) =>
      status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True'),
    );
    return ready.length === 2 ? ready : null;
  });
  const [batch, rbac] = [config.makeApiClient(BatchV1Api), config.makeApiClient(RbacAuthorizationV1Api)];
  return { ...{ kubeconfig: admin, address, core, batch, rbac }, kubeconfigOf };
}

function kubeconfig(authority: string, user: string, namespace: string): string {
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'bench' },
    clusters: [{ name: 'bench', cluster: { server, 'certificate-authority': authority } }],
    users: [{ name: 'bench', user: { token: `${user}-token` } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench', namespace } }],
  });
}
