import type { MetricComparison } from '../../../shared/comparison.ts';
import {
  intervalDecimals,
  printChange,
  printChangeInterval,
  printDifference,
  printNumber,
  printQuantity,
  printShare,
  type Scale,
  scaleFor,
} from '../../../shared/quantity.ts';

/** The one scale of a row: both sides and their difference show the same digits of the same unit. */
export function scaleOf({ unit, http, https, delta }: MetricComparison): Scale {
  const values = [http?.center, https?.center].filter((value) => value !== undefined);
  return scaleFor(unit, values, delta === null ? [] : [delta.center]);
}

/** A shift as it may be shown: a centre only when it is real, else the interval alone. Null when it was refused. */
export type Shift = { main: string; below: string; absolute: string | null; real: boolean };

export function shiftOf(comparison: MetricComparison): Shift | null {
  const { outcome, ratio, delta } = comparison;
  if (outcome === 'refused') return null;
  const scale = scaleOf(comparison);
  const real = outcome === 'overhead';
  if (ratio !== null) {
    const interval = printChangeInterval(ratio);
    return real
      ? {
          main: printChange(ratio.center, intervalDecimals(ratio)),
          below: interval,
          absolute: delta === null ? null : printDifference(delta.center, pointsOf(scale)),
          real,
        }
      : { main: interval, below: '95 % interval', absolute: null, real };
  }
  if (delta === null) return null;
  const interval = `${printSigned(delta.lo, scale)} to ${printDifference(delta.hi, scale)}`;
  return real
    ? { main: printDifference(delta.center, scale), below: interval, absolute: null, real }
    : { main: interval, below: '95 % interval', absolute: null, real };
}

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
      return `${shift.main}, 95 % interval ${shift.below}`;
    case 'no_overhead':
      return floor === undefined || comparison.ratio === null
        ? 'no difference above the noise'
        : `no difference above ${printShare(floor)}, the noise floor`;
    default:
      return `inconclusive, somewhere from ${shift.main}`;
  }
}

/** The difference of two percentages is in points: beside a relative change, a % would be read as one. */
function pointsOf(scale: Scale): Scale {
  return scale.symbol === '%' ? { ...scale, symbol: 'points' } : scale;
}

function printSigned(value: number, { divisor, decimals }: Scale): string {
  const text = printNumber(value / divisor, decimals);
  return text.startsWith('−') ? text : `+${text}`;
}
