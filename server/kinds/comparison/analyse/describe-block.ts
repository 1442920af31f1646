import { mapEstimate } from '../../../../shared/base/map-estimate.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { type Metric, type MetricId, metrics } from '../../../../shared/kinds/comparison/metric.ts';
import { noPast } from '../../../../shared/kinds/comparison/past.ts';
import type { Precision } from '../../../../shared/kinds/comparison/precision.ts';
import type { RunEvent } from '../../../../shared/kinds/comparison/progress.ts';
import type { TargetKind } from '../../../../shared/target/target.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import { boundsOf, precisionOf } from '../../../method/statistics/precision.ts';
import { median } from '../../../method/statistics/quantile.ts';
import { priorsOf, type Surroundings } from './compare-metric.ts';
import { soundBlocksOf } from './metric-blocks.ts';
import { type Reading, readBlock } from './metric-readings.ts';

type BlockEvent = Extract<RunEvent, { type: 'block' }>;

/** The event of a block that has ended: what it says, and what all so far say. Provisional, never a verdict. */
export function describeBlock(
  block: Block,
  all: readonly Block[],
  { target }: Pick<Surroundings, 'target'> = { target: 'storefront' },
): RunEvent {
  const fromPrior: MetricId[] = [];
  const medians: BlockEvent['medians'] = {};
  const ratios: Partial<Record<MetricId, number>> = {};
  const intervals: Partial<Record<MetricId, Estimate>> = {};
  for (const metric of metrics) {
    const { id, scale } = metric;
    const readings = soundBlocksOf(metric, all)
      .flatMap((each) => readBlock(metric, each))
      .filter(({ aside }) => !aside);
    if (readings.length > 0) {
      medians[id] = {
        baseline: median(readings.map(({ baseline }) => baseline)),
        comparison: median(readings.map(({ comparison }) => comparison)),
      };
    }
    if (scale !== 'ratio') continue;
    const here = metric.points.includes(block.kind) ? readBlock(metric, block) : [];
    if (here.length > 0) ratios[id] = Math.exp(meanOf(here.map(({ shift }) => shift)));
    const precision = soFar(metric, readings, target);
    if (precision === null) continue;
    intervals[id] = mapEstimate(boundsOf(precision), Math.exp);
    if (precision.launches.degrees === 0 && precision.prior !== null) fromPrior.push(id);
  }
  const { index, kind, launch, epoch, windows } = block;
  return {
    ...{ type: 'block', index, kind, launch, epoch },
    dropped: block.reasons.map((reason) => reason.message),
    windows: { measured: windows.length, aside: windows.filter(({ aside }) => aside).length },
    ...{ medians, ratios, intervals, fromPrior },
  };
}

/** As the table will have it, without what widens it; from the prior alone where nothing has varied yet. */
function soFar(metric: Metric, readings: readonly Reading[], target: TargetKind): Precision | null {
  const units = readings.map(({ launch, shift }) => ({ launch, value: shift }));
  return units.length === 0 ? null : precisionOf(units, priorsOf(metric, { target, past: noPast }));
}
