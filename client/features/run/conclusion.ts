import type { MetricComparison } from '../../../shared/comparison.ts';
import { printQuantity, printShare } from '../../../shared/quantity.ts';
import { scaleOf, shiftOf } from '../../../shared/shift.ts';

/** Both sides and what follows, in one sentence without its full stop. */
export function concludeInWords(
  comparison: MetricComparison,
  title: string,
  labels: { http: string; https: string },
  floor: number | undefined,
): string {
  const { http, https } = comparison;
  const scale = scaleOf(comparison);
  const sides =
    http === null || https === null
      ? 'not measured on both sides'
      : `${printQuantity(http.center, scale)} over ${labels.http}, ${printQuantity(https.center, scale)} over ${labels.https}`;
  return `${title}: ${sides}; ${judgement(comparison, floor)}`;
}

function judgement(comparison: MetricComparison, floor: number | undefined): string {
  const shift = shiftOf(comparison);
  if (shift === null) return 'the difference is not printed, for the reasons in the table';
  switch (comparison.outcome) {
    case 'overhead':
      return `${shift.center}, 95 % interval ${shift.interval}`;
    case 'no_overhead':
      return floor === undefined || comparison.ratio === null
        ? 'no difference above the noise'
        : `no difference above ${printShare(floor)}, the noise floor`;
    default:
      return `inconclusive, somewhere from ${shift.interval}`;
  }
}
