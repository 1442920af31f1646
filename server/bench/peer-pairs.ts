import { fromSides } from '../../shared/base/arms.ts';
import { type Arm, twoSidesAndTwin } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { type StorefrontTarget, startStorefront } from '../targets/start-storefront.ts';
import type { Peer } from './load-peers.ts';
import { meanInterval } from './spread.ts';

export const precisionMetrics = ['cpu_at_load', 'latency_p50', 'throughput'] as const;
export type PrecisionMetric = (typeof precisionMetrics)[number];

/** One window of another tool on each side, one after the other. */
export type WindowPair = Record<'baseline' | 'comparison', Record<PrecisionMetric, number>>;

export type PeerPlan = {
  path: string;
  connections: number;
  windowS: number;
  warmUpS: number;
  /** For all its windows and the warm-up together. */
  seconds: number;
};

/** Pairs of windows of another tool on a fresh storefront, http and then https, over and over. */
export async function measurePeerPairs(
  peer: Peer,
  plan: PeerPlan,
  directory: string,
  signal: AbortSignal,
): Promise<WindowPair[]> {
  const storefront = await startStorefront({
    directory,
    transports: fromSides(twoSidesAndTwin, ['http', 'https']),
    databaseUrl: null,
    signal,
  });
  try {
    const run = (arm: 'baseline' | 'comparison', seconds: number) =>
      measureWindow(peer, storefront, arm, { ...plan, seconds, directory, signal });
    await run('baseline', plan.warmUpS / 2);
    await run('comparison', plan.warmUpS / 2);
    const pairs: WindowPair[] = [];
    for (let pair = 0; pair < pairsIn(plan); pair++) {
      pairs.push({
        baseline: await run('baseline', plan.windowS),
        comparison: await run('comparison', plan.windowS),
      });
    }
    return pairs;
  } finally {
    await storefront.stop();
  }
}

/** At least two, as one has no interval. */
export function pairsIn({ seconds, warmUpS, windowS }: PeerPlan): number {
  return Math.max(2, Math.round((seconds - warmUpS) / (2 * windowS)));
}

/** By Student's t over the pairs' log ratios. */
export function estimateOfPairs(pairs: readonly WindowPair[], metric: PrecisionMetric): Estimate | null {
  const logs = pairs.map(({ baseline, comparison }) => Math.log(comparison[metric] / baseline[metric]));
  const { center, lo, hi } = meanInterval(logs) ?? {};
  if (center === undefined || lo === undefined || hi === undefined) return null;
  return { center: Math.exp(center), lo: Math.exp(lo), hi: Math.exp(hi) };
}

/** CPU is the server's own count around the window; a transaction is one request. */
async function measureWindow(
  peer: Peer,
  { listeners, counters }: StorefrontTarget<Arm>,
  arm: 'baseline' | 'comparison',
  order: Omit<Parameters<Peer['load']>[0], 'listener'>,
): Promise<WindowPair['baseline']> {
  const before = await counters(arm);
  const { perS, medianUs } = await peer.load({ ...order, listener: listeners[arm] });
  const after = await counters(arm);
  return {
    cpu_at_load: (after.cpuUs - before.cpuUs) / (after.requests - before.requests),
    latency_p50: medianUs,
    throughput: perS,
  };
}
