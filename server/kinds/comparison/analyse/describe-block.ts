import type { Block } from '../../../../shared/block.ts';
import type { Estimate } from '../../../../shared/comparison.ts';
import { type MetricId, metrics } from '../../../../shared/metric.ts';
import type { RunEvent } from '../../../../shared/progress.ts';
import { launchInterval } from '../../../statistics/launch-interval.ts';
import { median } from '../../../statistics/quantile.ts';
import { soundBlocksOf } from './metric-blocks.ts';
import { type Reading, readBlock } from './metric-readings.ts';

type BlockEvent = Extract<RunEvent, { type: 'block' }>;

/** The event of a block that has ended: what it says, and what all so far say. Provisional, never a verdict. */
export function describeBlock(block: Block, all: readonly Block[]): RunEvent {
  const medians: BlockEvent['medians'] = {};
  const ratios: Partial<Record<MetricId, number>> = {};
  const intervals: Partial<Record<MetricId, Estimate>> = {};
  for (const metric of metrics) {
    const { id, scale } = metric;
    const readings = soundBlocksOf(metric, all).flatMap((each) => readBlock(metric, each) ?? []);
    if (readings.length > 0) {
      medians[id] = {
        baseline: median(readings.map(({ baseline }) => baseline)),
        comparison: median(readings.map(({ comparison }) => comparison)),
      };
    }
    if (scale !== 'ratio') continue;
    const here = metric.points.includes(block.kind) ? readBlock(metric, block) : null;
    if (here !== null) ratios[id] = Math.exp(here.shift);
    const interval = intervalSoFar(readings);
    if (interval !== null) intervals[id] = interval;
  }
  const { index, kind, launch, epoch, windows } = block;
  return {
    ...{ type: 'block', index, kind, launch, epoch },
    dropped: block.reasons.map((reason) => reason.message),
    windows: { measured: windows.length, aside: windows.filter(({ aside }) => aside).length },
    ...{ medians, ratios, intervals },
  };
}

const enoughLaunches = 3;

/** Over launches as soon as there are enough of them; before, as if all blocks were of one. */
function intervalSoFar(readings: readonly Reading[]): Estimate | null {
  const launches = new Set(readings.map(({ launch }) => launch)).size;
  const units = readings.map(({ launch, shift }) => ({
    launch: launches >= enoughLaunches ? launch : 0,
    value: shift,
  }));
  const interval = launchInterval(units, 0.95);
  if (interval === null) return null;
  return { center: Math.exp(interval.center), lo: Math.exp(interval.lo), hi: Math.exp(interval.hi) };
}
