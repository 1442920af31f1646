import { addedTo, exactly } from '../../base/estimate-arithmetic.ts';
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
    const fine = delta === null ? null : finerFor(delta, pointsOf(scale));
    return {
      center: real ? printChange(ratio.center, intervalDecimals(ratio)) : null,
      interval: printChangeInterval(ratio),
      absolute: real && fine !== null ? printDifference(delta?.center ?? 0, fine) : null,
      absoluteInterval:
        delta === null || fine === null ? null : { ends: printEnds(delta, fine), unit: fine.symbol },
    };
  }
  if (delta === null) return null;
  return {
    center: real ? printDifference(delta.center, scale) : null,
    interval: `${printEnds(delta, scale)} ${scale.symbol}`,
    ...{ absolute: null, absoluteInterval: null },
  };
}

/** An interval this close to zero is next to nothing. */
const mostDecimals = 6;

/** With the decimals that the width of the interval deserves. */
function finerFor(delta: Estimate, scale: Scale): Scale {
  const isPoint = delta.lo === delta.hi;
  return isPoint
    ? scale
    : {
        ...scale,
        decimals: Math.max(scale.decimals, Math.min(mostDecimals, estimateDecimals(delta, scale.divisor))),
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
  const fine = ratio === null ? scale : finerFor(delta, pointsOf(scale));
  const first = printQuantity(baseline.center, scale).replace(` ${scale.symbol}`, '');
  return {
    amount: printQuantity(Math.abs(delta.center), fine),
    signed: printDifference(delta.center, fine),
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

/** Plus signs say nothing where both ends have them. */
function bareEnds(ends: string): string {
  return ends.includes('−') ? ends : ends.replaceAll('+', '');
}

/** `−3.2 to +12.4`. */
function printEnds({ lo, hi }: Pick<Estimate, 'lo' | 'hi'>, scale: Scale): string {
  return `${printSigned(lo, scale)} to ${printSigned(hi, scale)}`;
}

/**
 * The one scale of a row: both sides show the same digits of the same unit, two of their difference where it is
 * printed, else three of their own.
 */
export function scaleOf({ unit, baseline, comparison, delta, outcome }: Compared): Scale {
  const sides = [baseline?.center, comparison?.center].filter((value) => value !== undefined);
  const finest =
    delta !== null && delta.center !== 0 && isCertain(outcome)
      ? [delta.center]
      : sides.map((side) => side / 10);
  return scaleFor(unit, sides, finest);
}

/** A certain difference, or one that is certainly within the tolerance. */
export function isCertain(outcome: VerdictOutcome): boolean {
  return outcome === 'overhead' || outcome === 'no_overhead';
}

/** The difference of two percentages is in points: beside a relative change, a % would be read as one. */
function pointsOf(scale: Scale): Scale {
  return scale.symbol === '%' ? { ...scale, symbol: 'points' } : scale;
}
