import { mapEstimate } from '../../../../shared/base/map-estimate.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { type Metric, metricOf, metrics } from '../../../../shared/kinds/comparison/metric.ts';
import { noPast } from '../../../../shared/kinds/comparison/past.ts';
import type { RunEvent } from '../../../../shared/kinds/comparison/progress.ts';
import { meanOf } from '../../../method/statistics/mean.ts';
import { boundsOf, precisionOf } from '../../../method/statistics/precision.ts';
import { priorsOf, type Surroundings } from './compare-metric.ts';
import { isSpoiled, soundBlocksOf } from './metric-blocks.ts';
import { type Reading, readBlock } from './metric-readings.ts';

type BlockEvent = Extract<RunEvent, { type: 'block' }>;
type Known = Pick<Surroundings, 'target'> & Pick<Plan, 'openMs'>;

const headline = metricOf('cpu_at_load');

/**
 * The event of a finished block: its values and the headline's interval. Analyzing more would disturb the measurement. Provisional,
 * never a verdict.
 */
export function describeBlock(block: Block, all: readonly Block[], known: Known): RunEvent {
  const values: BlockEvent['values'] = {};
  const ratios: BlockEvent['ratios'] = {};
  for (const metric of metrics) {
    if (!countsFor(metric, block, known)) continue;
    const readings = keptOf(metric, [block]);
    if (readings.length === 0) continue;
    values[metric.id] = {
      baseline: meanOf(readings.map(({ baseline }) => baseline)),
      comparison: meanOf(readings.map(({ comparison }) => comparison)),
    };
    if (metric.scale === 'ratio') ratios[metric.id] = Math.exp(meanOf(readings.map(({ shift }) => shift)));
  }
  const { index, kind, launch, epoch, windows } = block;
  return {
    ...{ type: 'block', index, kind, launch, epoch },
    reasons: block.reasons,
    windows: { measured: windows.length, aside: windows.filter(({ aside }) => aside).length },
    ...{ values, ratios, interval: intervalOf(all, known) },
  };
}

/** Whether this block counts for the metric, which depends on whether the run has open load. */
function countsFor(metric: Metric, block: Block, { openMs }: Known): boolean {
  const { points } = metric;
  const [first] = points.filter((point) => point !== 'steady' || openMs !== null);
  return (points.length > 2 || block.kind === first) && !isSpoiled(metric, block);
}

/** As the table will have it, without what widens it; from the prior alone where nothing has varied yet. */
function intervalOf(all: readonly Block[], { target }: Known): Estimate | null {
  const units = keptOf(headline, soundBlocksOf(headline, all)).map(({ launch, shift }) => ({
    launch,
    value: shift,
  }));
  if (units.length === 0) return null;
  const precision = precisionOf(units, priorsOf(headline, { target, past: noPast }));
  return precision === null ? null : mapEstimate(boundsOf(precision), Math.exp);
}

function keptOf(metric: Metric, blocks: readonly Block[]): Reading[] {
  return blocks.flatMap((block) => readBlock(metric, block)).filter(({ aside }) => !aside);
}
