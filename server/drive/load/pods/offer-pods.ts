import { randomBytes } from 'node:crypto';
import type { GeneratorHosts, HostPool } from '../hosts/generator-hosts.ts';
import { type Cluster, openCluster } from './open-cluster.ts';
import type { WantedPods } from './pod-manifests.ts';
import { type GeneratorPods, startPods, sweepPods } from './start-pods.ts';

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
