import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { V1Pod, V1Role, V1RoleBinding } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import { openAuthority } from '../../targets/certificate-authority.ts';
import { startAgentInTest } from '../../testing/agent-in-test.ts';
import { makeNetworkHost } from '../../testing/network-host.ts';
import { type NginxInTest, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { type RunningCommand, runCommand } from '../run-command.ts';
import { productName } from './make-images.ts';
import type { RealCluster } from './start-cluster.ts';
import { until } from './start-program.ts';

export const namespace = 'load';
const manifests = fileURLToPath(new URL('../../../public/deploy/kubernetes.yaml', import.meta.url));

/** A cluster, a target on another host with an agent, and a dashboard that may create pods. */
export type Stage = {
  cluster: RealCluster;
  nginx: NginxInTest;
  /** Ends the dashboard at once, as a power cut does, and starts it anew. */
  restart(change?: Partial<Choice>): Promise<void>;
  kill(): void;
  compare(pods: number): RunningCommand;
  /** Of the namespace, that are not about to end. */
  pods(): Promise<V1Pod[]>;
  /** Jobs, pods, and Secrets there. */
  left(): Promise<number>;
};

type Choice = { user: string; image: string };

export async function openStage(cluster: RealCluster, directory: string): Promise<Stage> {
  await grantRole(cluster);
  const authority = await openAuthority(join(directory, 'authority'));
  const target = await makeNetworkHost({ network: '10.213.200.4' });
  const nginx = await startNginxInTest(authority, ['http', 'https'], target, undefined, true);
  const watched = ['--port', `${nginx.httpPort},${nginx.httpsPort}`];
  const agent = await startAgentInTest(watched, { host: target.address, start: target.start });
  mkdirSync(join(directory, 'dashboard'));
  const shared = { PATH: process.env.PATH, HOME: directory, TLS_TOLL_DATA: join(directory, 'dashboard') };
  let dashboard: RunningCommand | null = null;
  const kill = () => void dashboard?.child.kill('SIGKILL');
  const restart = async ({ user = 'dashboard', image = productName }: Partial<Choice> = {}) => {
    kill();
    await dashboard?.ended;
    const started = runCommand(['serve'], {
      ...{ ...shared, PORT: '7300', KUBECONFIG: cluster.kubeconfigOf(user, namespace) },
      ...{
        TLS_TOLL_GENERATORS: `${cluster.address}:7310`,
        TLS_TOLL_PODS: image,
        TLS_TOLL_TARGETS: target.address,
      },
    });
    dashboard = started;
    await until('the dashboard', 60, async () => (started.said().includes('Fingerprint') ? true : null));
  };
  await restart();
  const { core, batch } = cluster;
  return {
    ...{ cluster, nginx, kill, restart },
    compare: (pods) =>
      runCommand(
        [
          ...[
            'compare',
            '--generator-pods',
            `${pods}`,
            '--http',
            `http://${target.address}:${nginx.httpPort}`,
          ],
          ...['--https', `https://${target.address}:${nginx.httpsPort}`],
          ...['--trust', new X509Certificate(authority.certPem).fingerprint256],
          ...[
            '--agent',
            agent.at.name,
            '--agent-key',
            agent.at.fingerprint,
            '--agent-token-file',
            agent.tokenFile,
          ],
        ],
        shared,
      ),
    async pods() {
      const { items } = await core.listNamespacedPod({ namespace });
      return items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    },
    async left() {
      const lists = await Promise.all([
        batch.listNamespacedJob({ namespace }),
        core.listNamespacedPod({ namespace }),
        core.listNamespacedSecret({ namespace }),
      ]);
      return lists.reduce((sum, { items }) => sum + items.length, 0);
    },
  };
}

/** The role that is shipped, for a user who has nothing else. */
async function grantRole({ core, rbac }: RealCluster): Promise<void> {
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  for (const document of parseAllDocuments(readFileSync(manifests, 'utf8'))) {
    const body = document.toJS() as V1Role & V1RoleBinding;
    if (body.kind === 'Role') await rbac.createNamespacedRole({ namespace, body });
    if (body.kind !== 'RoleBinding') continue;
    const subjects = [{ kind: 'User', name: 'dashboard', apiGroup: 'rbac.authorization.k8s.io' }];
    await rbac.createNamespacedRoleBinding({ namespace, body: { ...body, subjects } });
  }
  await until('the service account of the namespace', 60, async () =>
    core.readNamespacedServiceAccount({ namespace, name: 'default' }),
  );
}
