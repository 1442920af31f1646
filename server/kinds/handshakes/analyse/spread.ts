import type { Samples } from '../../../../shared/kinds/handshakes/handshake-samples.ts';
import type { Spread } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { quantileOfSorted, toSorted } from '../../../method/statistics/quantile.ts';

/** Of every connection of all visits together. */
export function spreadOf(visits: readonly Samples[], what: 'cpuUs' | 'wallUs'): Spread {
  const sorted = toSorted(joined(visits, what));
  return {
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    median: quantileOfSorted(sorted, 0.5),
    p5: quantileOfSorted(sorted, 0.05),
    p95: quantileOfSorted(sorted, 0.95),
  };
}

/** The user part of the CPU time: each connection's by the share that it has in all of them. */
export function userSpreadOf(visits: readonly Samples[]): Spread {
  const { mean, median, p5, p95 } = spreadOf(visits, 'cpuUs');
  const cpuUs = joined(visits, 'cpuUs').reduce((sum, each) => sum + each, 0);
  const share = cpuUs === 0 ? 0 : visits.reduce((sum, { userUs }) => sum + userUs, 0) / cpuUs;
  return { mean: mean * share, median: median * share, p5: p5 * share, p95: p95 * share };
}

export function joined(visits: readonly Samples[], what: 'cpuUs' | 'wallUs'): number[] {
  return visits.flatMap((samples) => [...samples[what]]);
}
