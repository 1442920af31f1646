import { randomBytes } from 'node:crypto';
import type { GeneratorHosts, HostPool } from '../hosts/generator-hosts.ts';
import { type Cluster, openCluster } from './open-cluster.ts';
import type { WantedPods } from './pod-manifests.ts';
import { type GeneratorPods, startPods, sweepPods } from './start-pods.ts';

/** What is the same for every measurement. */
type Offered = Pick<WantedPods, 'dashboard' | 'image' | 'join' | 'fingerprint'> & {
  /** Of one measurement. */
  most: number;
};

/** Generators that a cluster runs for a measurement. */
export type PodsOffer = {
  most: number;
  /** Creates them. Throws client_missing, cluster_unreachable, cluster_refused. */
  start(wanted: Pick<WantedPods, 'count' | 'cores' | 'allow' | 'deadlineS'>): Promise<JoiningPods>;
};

export type JoiningPods = Omit<GeneratorPods, 'end'> & {
  /** They alone are in it. */
  pool: HostPool;
  /** Removes them; their token is worth nothing from then on. */
  end(): Promise<void>;
};

/** Removes first what this dashboard left behind in the cluster when it died. Why it could not is said by the first run that wants pods. */
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
