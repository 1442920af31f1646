import type { Block } from '../../shared/block.ts';
import type { Estimate } from '../../shared/comparison.ts';
import { analyse } from '../kinds/comparison/analyse/analyse.ts';
import { pairedInterval, welchInterval } from './mean-intervals.ts';

export const precisionMetrics = ['cpu_per_transaction', 'throughput'] as const;
export type PrecisionMetric = (typeof precisionMetrics)[number];

/** Of the ratio's 95 % interval: 0.03 is ±3 %. Null where there is no interval. */
export type HalfWidths = Record<PrecisionMetric, number | null>;

/**
 * The blocks in portions whose slots take no longer than so many seconds together, dropped blocks included: they took their
 * time too. What is left after the last whole portion is left out.
 */
export function portionsOf(blocks: readonly Block[], seconds: number): Block[][] {
  const portions: Block[][] = [];
  let portion: Block[] = [];
  let spentUs = 0;
  for (const block of blocks) {
    const blockUs = block.slots.reduce((sum, { load }) => sum + load.elapsedUs, 0);
    if (spentUs + blockUs > seconds * 1e6) {
      portions.push(portion);
      portion = [];
      spentUs = 0;
    }
    portion.push(block);
    spentUs += blockUs;
  }
  return portions;
}

/** As a run of these blocks would have shown them. */
export function halfWidthsOfBlocks(blocks: readonly Block[]): HalfWidths {
  const { metrics } = analyse(blocks, { finished: true, ownTwin: true });
  const of = (metric: PrecisionMetric) => halfWidth(metrics.find(({ id }) => id === metric)?.ratio ?? null);
  return { cpu_per_transaction: of('cpu_per_transaction'), throughput: of('throughput') };
}

/** One window of another tool on each side, one after the other. */
export type WindowPair = Record<'baseline' | 'comparison', Record<PrecisionMetric, number>>;

/** By Student's t over the pairs' log ratios. */
export function pairedHalfWidths(pairs: readonly WindowPair[]): HalfWidths {
  return each((metric) => {
    const logs = pairs.map(({ baseline, comparison }) => Math.log(comparison[metric] / baseline[metric]));
    return halfWidth(exponential(pairedInterval(logs)));
  });
}

/** By Welch's interval over the logs of both sides' windows, as if they had nothing in common. */
export function unpairedHalfWidths(pairs: readonly WindowPair[]): HalfWidths {
  return each((metric) => {
    const logs = (side: 'baseline' | 'comparison') => pairs.map((pair) => Math.log(pair[side][metric]));
    return halfWidth(exponential(welchInterval(logs('baseline'), logs('comparison'))));
  });
}

function each(of: (metric: PrecisionMetric) => number | null): HalfWidths {
  return { cpu_per_transaction: of('cpu_per_transaction'), throughput: of('throughput') };
}

function exponential(logs: Estimate | null): Estimate | null {
  if (logs === null) return null;
  return { center: Math.exp(logs.center), lo: Math.exp(logs.lo), hi: Math.exp(logs.hi) };
}

function halfWidth(ratio: Estimate | null): number | null {
  return ratio === null ? null : (ratio.hi - ratio.lo) / 2;
}
