import { addedTo, exactly, excludes } from '../../base/estimate-arithmetic.ts';
import {
  estimateDecimals,
  intervalDecimals,
  printChange,
  printChangeInterval,
  printDifference,
  printQuantity,
  printSigned,
  type Scale,
  scaleFor,
} from '../../base/quantity.ts';
import type { Estimate, Unit } from '../../base/units.ts';
import type { MetricComparison, VerdictOutcome } from './comparison.ts';

/** Printable parts of a difference, for screen, Markdown, and terminal. */
export type Shift = {
  /** Center of a difference that is certain, or certainly within the tolerance; any other is printed as an interval only. */
  center: string | null;
  interval: string;
  /** The center in the metric's unit, next to a change in percent. */
  absolute: string | null;
  /** The interval in the metric's unit, next to one in percent: `+2.9 to +3.6` and `µs`. */
  absoluteInterval: { ends: string; unit: string } | null;
};

export type Compared = Pick<
  MetricComparison,
  'unit' | 'baseline' | 'comparison' | 'delta' | 'ratio' | 'outcome'
>;

/** Null when the comparison was refused. */
export function shiftOf(comparison: Compared): Shift | null {
  const { outcome, ratio, delta } = comparison;
  if (outcome === 'refused') return null;
  const scale = scaleOf(comparison);
  const real = isCertain(outcome);
  if (ratio !== null) {
    const points = pointsOf(scale);
    return {
      center: real ? printChange(ratio.center, intervalDecimals(ratio)) : null,
      interval: printChangeInterval(ratio),
      absolute:
        real && delta !== null ? printDifference(shownCenter(comparison, delta, points), points) : null,
      absoluteInterval: delta === null ? null : { ends: printEnds(delta, points), unit: points.symbol },
    };
  }
  if (delta === null) return null;
  return {
    center: real ? printDifference(shownCenter(comparison, delta, scale), scale) : null,
    interval: `${printEnds(delta, scale)} ${scale.symbol}`,
    ...{ absolute: null, absoluteInterval: null },
  };
}

/** A difference as a headline prints it, certain or not, with the digits of its row. */
export type PrintedDifference = {
  /** `18.1 µs`. */
  amount: string;
  /** `+18.1 µs`. */
  signed: string;
  /** `17.2 to 18.8`, `−0.05 to +0.40`. */
  ends: string;
  symbol: string;
  /** `+75 %`, with its interval `72 to 78`; null without a ratio. */
  change: { signed: string; ends: string } | null;
  /** `24.0 → 42.1 µs`. */
  values: string;
};

/** Null where one of its parts is not known. */
export function printDifferenceOf(row: Compared): PrintedDifference | null {
  const { baseline, comparison, delta, ratio } = row;
  if (baseline === null || comparison === null || delta === null) return null;
  const scale = scaleOf(row);
  const fine = ratio === null ? scale : pointsOf(scale);
  const first = printQuantity(baseline.center, scale).replace(` ${scale.symbol}`, '');
  const center = shownCenter(row, delta, fine);
  return {
    amount: printQuantity(Math.abs(center), fine),
    signed: printDifference(center, fine),
    ends: bareEnds(printEnds(delta, fine)),
    symbol: fine.symbol,
    change:
      ratio === null
        ? null
        : {
            signed: printChange(ratio.center, intervalDecimals(ratio)),
            ends: bareEnds(printChangeInterval(ratio).replace(/ %$/, '')),
          },
    values: `${first} → ${printQuantity(comparison.center, scale)}`,
  };
}

/** The difference of two figures whose estimates come from elsewhere: second = first × ratio. */
export function differenceBy(unit: Unit, first: number, ratio: Estimate): Compared {
  return {
    unit,
    baseline: exactly(first),
    comparison: exactly(first * ratio.center),
    delta: addedTo(exactly(first), ratio),
    ratio,
    outcome: 'overhead',
  };
}

type Guess = Pick<PrintedDifference, 'signed' | 'ends' | 'symbol'> & { change: { signed: string } | null };

/** `Probably +0.17 ms (+12 %): between −0.05 and +0.40 ms. Not certain yet.` */
export function guessInWords(
  { signed, change, ends, symbol }: Guess,
  outcome: VerdictOutcome = 'inconclusive',
): string {
  const share = change === null ? '' : ` (${change.signed})`;
  const doubt = outcome === 'not_tested' ? 'Not tested' : 'Not certain yet';
  return `Probably ${signed}${share}: between ${ends.replace(' to ', ' and ')} ${symbol}. ${doubt}.`;
}

/** `+18.0 µs (17.2 to 18.8), +75 % (72 to 78)`. */
export function differenceInWords({ signed, ends, change }: PrintedDifference): string {
  const difference = `${signed} (${ends})`;
  return change === null ? difference : `${difference}, ${change.signed} (${change.ends})`;
}

/** `17.2 to 18.8 µs, 72 to 78 %`. */
export function endsInWords({ ends, symbol, change }: PrintedDifference): string {
  return `${ends} ${symbol}${change === null ? '' : `, ${change.ends} %`}`;
}

/** Plus signs are redundant if both ends have them. */
function bareEnds(ends: string): string {
  return ends.includes('−') ? ends : ends.replaceAll('+', '');
}

/** `−3.2 to +12.4`. */
function printEnds({ lo, hi }: Pick<Estimate, 'lo' | 'hi'>, scale: Scale): string {
  return `${printSigned(lo, scale)} to ${printSigned(hi, scale)}`;
}

/** An interval this close to zero is next to nothing. */
const mostDecimals = 6;
/** More digits are not tried: an interval is wider than they are. */
const mostMore = 3;

/**
 * The one scale of a row: both sides, their difference, and its interval show the same digits of the same unit. There are just
 * enough for a reader who subtracts or divides the sides to get the difference and the change that are printed next to them.
 */
export function scaleOf(row: Compared): Scale {
  const { unit, baseline, comparison, delta, outcome } = row;
  const sides = [baseline?.center, comparison?.center].filter((value) => value !== undefined);
  const finest =
    delta !== null && delta.center !== 0 && isCertain(outcome)
      ? [delta.center]
      : sides.map((side) => side / 10);
  const scale = scaleFor(unit, sides, finest);
  if (delta === null) return scale;
  const least = { ...scale, decimals: endDecimals(delta, scale) };
  const finer = Array.from({ length: mostMore + 1 }, (_, more) => ({
    ...least,
    decimals: least.decimals + more,
  }));
  const dividing = finer.filter((each) => divides(row, each));
  // One digit more is read sooner than three.
  return dividing.slice(0, 2).find((each) => subtracts(row, each)) ?? dividing[0] ?? least;
}

/** One digit more than the sides need if the interval is narrow, and enough not to round an end to zero. */
function endDecimals(delta: Estimate, { divisor, decimals }: Scale): number {
  if (delta.lo === delta.hi) return decimals;
  const needed = Math.max(decimals, Math.min(mostDecimals, estimateDecimals(delta, divisor)));
  const nearest = Math.min(Math.abs(delta.lo), Math.abs(delta.hi)) / divisor;
  const isLost = excludes(delta, 0) && nearest < 0.5 / 10 ** (decimals + 1);
  return isLost ? needed : Math.min(needed, decimals + 1);
}

/** A value as its row prints it, in the metric's unit. */
function shownOf(value: number, { divisor, decimals }: Scale): number {
  return Number((value / divisor).toFixed(decimals)) * divisor;
}

/** The difference of the sides as they are printed, which is at most one of the last digits away from its center. */
function shownCenter({ baseline, comparison }: Compared, { center }: Estimate, scale: Scale): number {
  if (baseline === null || comparison === null) return center;
  const apart = shownOf(comparison.center, scale) - shownOf(baseline.center, scale);
  return Math.abs(apart - center) * 10 ** scale.decimals <= 1.01 * scale.divisor ? apart : center;
}

function subtracts(row: Compared, scale: Scale): boolean {
  const { delta } = row;
  if (delta === null) return true;
  return printDifference(shownCenter(row, delta, scale), scale) === printDifference(delta.center, scale);
}

function divides({ baseline, comparison, ratio }: Compared, scale: Scale): boolean {
  if (baseline === null || comparison === null || ratio === null) return true;
  const [first, second] = [shownOf(baseline.center, scale), shownOf(comparison.center, scale)];
  const digits = intervalDecimals(ratio);
  return first > 0 && printChange(second / first, digits) === printChange(ratio.center, digits);
}

/**
 * Decimals at which a reader who divides a second side by the first gets the change that is printed beside it, for all ratios to one
 * first side.
 * @param least tried first
 */
export function decimalsDividing(
  first: number,
  ratios: readonly Estimate[],
  least: number,
  print: (ratio: number, of: Estimate) => string = (ratio) => printChange(ratio),
): number {
  const divides = (decimals: number) =>
    ratios.every((ratio) => {
      const [from, to] = [first, first * ratio.center].map((value) => Number(value.toFixed(decimals)));
      return print((to ?? 0) / (from || 1), ratio) === print(ratio.center, ratio);
    });
  const tried = Array.from({ length: mostMore }, (_, more) => least + more);
  return tried.find(divides) ?? least + mostMore - 1;
}

/** A certain difference, or one that is certainly within the tolerance. */
export function isCertain(outcome: VerdictOutcome): boolean {
  return outcome === 'overhead' || outcome === 'no_overhead';
}

/** The difference of two percentages is in points: beside a relative change, a % would be read as one. */
function pointsOf(scale: Scale): Scale {
  return scale.symbol === '%' ? { ...scale, symbol: 'points' } : scale;
}
