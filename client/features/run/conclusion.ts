import type { MetricComparison } from '../../../shared/comparison.ts';
import type { MetricId } from '../../../shared/metric.ts';
import { withinWords } from '../../../shared/outcome-word.ts';
import { printQuantity, printShare } from '../../../shared/quantity.ts';
import { scaleOf, shiftOf } from '../../../shared/shift.ts';
import type { ShownRun } from '../../../shared/shown-run.ts';
import type { BySide } from '../../../shared/transport.ts';
import { printCount } from '../../format/count.ts';

/** What a difference that is too little to matter was held against: `within 5 %`. */
type Limit = string | undefined;

export function limitOf({ plan, noiseFloor }: Pick<ShownRun, 'plan' | 'noiseFloor'>, id: MetricId): Limit {
  if (plan.method === 'lockstep') {
    return withinWords(plan.tolerance);
  }
  const floor = noiseFloor[id];
  return floor === undefined ? undefined : `within the noise floor of ${printShare(floor)}`;
}

/** Both sides and what follows, in one sentence without its full stop. */
export function concludeInWords(
  row: MetricComparison,
  title: string,
  labels: BySide<string>,
  limit: Limit,
): string {
  const { baseline, comparison } = row;
  const scale = scaleOf(row);
  const sides =
    baseline === null || comparison === null
      ? 'not measured on both sides'
      : `${printQuantity(baseline.center, scale)} over ${labels.baseline}, ${printQuantity(comparison.center, scale)} over ${labels.comparison}`;
  return `${title}: ${sides}; ${judgement(row, limit)}`;
}

function judgement(row: MetricComparison, limit: Limit): string {
  const shift = shiftOf(row);
  if (shift === null) return 'the difference is not shown, see the reasons in the table';
  switch (row.outcome) {
    case 'overhead':
      return `${shift.center}, 95 % CI ${shift.interval}${overLaunches(row)}`;
    case 'no_overhead':
      return limit === undefined || row.ratio === null
        ? 'no difference above the noise'
        : `${shift.center}, ${limit}`;
    case 'not_tested':
      return `not tested, somewhere from ${shift.interval}${overLaunches(row)}`;
    default:
      return `inconclusive, somewhere from ${shift.interval}${overLaunches(row)}`;
  }
}

function overLaunches({ launches }: MetricComparison): string {
  return launches.length === 0 ? '' : ` over ${printCount(launches.length, 'launch')}`;
}
