import {
  estimateDecimals,
  intervalDecimals,
  printChange,
  printChangeInterval,
  printDifference,
  printSigned,
  type Scale,
  scaleFor,
} from '../../base/quantity.ts';
import type { Estimate, Unit } from '../../base/units.ts';
import type { MetricComparison } from './comparison.ts';

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

type Compared = Pick<MetricComparison, 'unit' | 'baseline' | 'comparison' | 'delta' | 'ratio' | 'outcome'>;

/** Null when the comparison was refused. */
export function shiftOf(comparison: Compared): Shift | null {
  const { outcome, ratio, delta } = comparison;
  if (outcome === 'refused') return null;
  const scale = scaleOf(comparison);
  const real = hasCenter(outcome);
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

/** With the decimals that the width of the interval deserves. */
function finerFor(delta: Estimate, scale: Scale): Scale {
  const isPoint = delta.lo === delta.hi;
  return isPoint
    ? scale
    : { ...scale, decimals: Math.max(scale.decimals, estimateDecimals(delta, scale.divisor)) };
}

/** `+18.1 µs (+17.2 to +19.0 µs)`, with what `from` says of it, such as ` from 4 runs`. */
export function printWithInterval(unit: Unit, estimate: Estimate, from: string): string {
  const scale = finerFor(estimate, scaleFor(unit, [estimate.center]));
  return `${printDifference(estimate.center, scale)} (${printEnds(estimate, scale)} ${scale.symbol}${from})`;
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
    delta !== null && delta.center !== 0 && hasCenter(outcome)
      ? [delta.center]
      : sides.map((side) => side / 10);
  return scaleFor(unit, sides, finest);
}

function hasCenter(outcome: Compared['outcome']): boolean {
  return outcome === 'overhead' || outcome === 'no_overhead';
}

/** The difference of two percentages is in points: beside a relative change, a % would be read as one. */
function pointsOf(scale: Scale): Scale {
  return scale.symbol === '%' ? { ...scale, symbol: 'points' } : scale;
}
