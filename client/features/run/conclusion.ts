import { printQuantity } from '../../../shared/base/quantity.ts';
import { scaleOf, shiftOf } from '../../../shared/base/shift.ts';
import type { BySide } from '../../../shared/base/transport.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { ciOf } from '../../../shared/kinds/comparison/comparison.ts';
import { printCount } from '../../format/count.ts';

/**
 * Both sides and what follows, in one sentence without its full stop.
 * @param limit what a difference that is too little to matter was held against: `within 5 %`
 */
export function concludeInWords(
  row: MetricComparison,
  title: string,
  labels: BySide<string>,
  limit: string,
): string {
  const { baseline, comparison } = row;
  const scale = scaleOf(row);
  const sides =
    baseline === null || comparison === null
      ? 'not measured on both sides'
      : `${printQuantity(baseline.center, scale)} with ${labels.baseline}, ${printQuantity(comparison.center, scale)} with ${labels.comparison}`;
  return `${title}: ${sides}; ${judgement(row, limit)}`;
}

function judgement(row: MetricComparison, limit: string): string {
  const shift = shiftOf(row);
  if (shift === null) return 'the difference is not shown, and the table says why';
  switch (row.outcome) {
    case 'overhead':
      return `${shift.center}, ${ciOf(row)} ${shift.interval}${overLaunches(row)}`;
    case 'no_overhead':
      return row.ratio === null ? 'no difference above the noise' : `${shift.center}, ${limit}`;
    case 'not_tested':
      return `not tested, somewhere from ${shift.interval}${overLaunches(row)}`;
    default:
      return `inconclusive, somewhere from ${shift.interval}${overLaunches(row)}`;
  }
}

function overLaunches({ launches }: MetricComparison): string {
  return launches.length === 0 ? '' : ` over ${printCount(launches.length, 'launch')}`;
}
