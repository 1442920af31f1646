import type { MetricComparison } from '../../../shared/comparison.ts';
import { printQuantity, printShare } from '../../../shared/quantity.ts';
import { scaleOf, shiftOf } from '../../../shared/shift.ts';
import type { BySide } from '../../../shared/transport.ts';

/** Both sides and what follows, in one sentence without its full stop. */
export function concludeInWords(
  row: MetricComparison,
  title: string,
  labels: BySide<string>,
  floor: number | undefined,
): string {
  const { baseline, comparison } = row;
  const scale = scaleOf(row);
  const sides =
    baseline === null || comparison === null
      ? 'not measured on both sides'
      : `${printQuantity(baseline.center, scale)} over ${labels.baseline}, ${printQuantity(comparison.center, scale)} over ${labels.comparison}`;
  return `${title}: ${sides}; ${judgement(row, floor)}`;
}

function judgement(row: MetricComparison, floor: number | undefined): string {
  const shift = shiftOf(row);
  if (shift === null) return 'the difference is not printed, for the reasons in the table';
  switch (row.outcome) {
    case 'overhead':
      return `${shift.center}, 95 % interval ${shift.interval}`;
    case 'no_overhead':
      return floor === undefined || row.ratio === null
        ? 'no difference above the noise'
        : `no difference above ${printShare(floor)}, the noise floor`;
    default:
      return `inconclusive, somewhere from ${shift.interval}`;
  }
}
