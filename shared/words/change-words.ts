import { capitalized } from '../base/cut.ts';
import { differenceOf, excludes, lessOne, mapEstimate } from '../base/estimate-arithmetic.ts';
import {
  estimateDecimals,
  intervalDecimals,
  printChange,
  printChangeInterval,
  printDifference,
  printMs,
  printMsNumber,
  printNumber,
  printQuantity,
  printSigned,
  type Scale,
} from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import type { MetricComparison, VerdictOutcome } from '../kinds/comparison/comparison.ts';
import { metricOf } from '../kinds/comparison/metric.ts';
import type {
  ChangeOutcome,
  ComparedMetric,
  FigureChange,
  FigureName,
  MetricChange,
} from '../kinds/comparison/result-changes.ts';
import { type PrintedDifference, printDifferenceOf, scaleOf } from '../kinds/comparison/shift.ts';

/** A change of a figure as text. A center is printed only where the change is certain. */
type FigureChangeWords = {
  from: string;
  to: string;
  change: string;
  interval: string;
  word: string;
};

/** @param usual figure of rows that do not have their own */
export function printFigureChange(row: FigureChange, usual: FigureName): FigureChangeWords {
  const { from, to, outcome, figure = usual } = row;
  const print = (estimate: Estimate | null) => (estimate === null ? '–' : figures[figure].print(estimate));
  const { center, interval } = printFigureShift(row, figure);
  return {
    ...{ from: print(from), to: print(to), interval },
    change: outcome === 'inconclusive' ? '–' : center,
    word: wordOf(row, figure),
  };
}

/** Default tolerance: the largest share that is too small to matter. */
export const usualTolerance = 0.05;

/** Whether two of a figure are divided or subtracted. `either`: subtracted where one of them may be zero. */
export function figureScale(figure: FigureName): FigureScale {
  return figures[figure].scale;
}

export type FigureScale = 'ratio' | 'difference' | 'either';

type Figure = {
  scale: FigureScale;
  better: 'lower' | 'higher';
  print(estimate: Estimate): string;
};

const figures: Record<FigureName, Figure> = {
  multiple: { scale: 'ratio', better: 'lower', print: ({ center }) => `×${printNumber(center, 2)}` },
  per_second: { scale: 'ratio', better: 'higher', print: ({ center }) => `${printNumber(center, 0)}/s` },
  overhead: { scale: 'ratio', better: 'lower', print: printCertain },
  us: { scale: 'either', better: 'lower', print: ({ center }) => `${printNumber(center, 1)} µs` },
  bytes: { scale: 'either', better: 'lower', print: ({ center }) => `${printNumber(center, 0)} B` },
  instructions: { scale: 'ratio', better: 'lower', print: ({ center }) => printNumber(center, 0) },
  ms: { scale: 'difference', better: 'lower', print: ({ center }) => printMs(center) },
};

/** `+12.3 %`; of one that is not certain, only its interval. */
function printCertain(ratio: Estimate): string {
  const isCertain = excludes(ratio, 1);
  return isCertain ? printChange(ratio.center, intervalDecimals(ratio)) : printChangeInterval(ratio);
}

function printFigureShift(
  { ratio, delta }: FigureChange,
  figure: FigureName,
): { center: string; interval: string } {
  if (ratio !== null) return { center: printChange(ratio.center, 1), interval: printChangeInterval(ratio) };
  if (delta === null) return { center: '–', interval: '–' };
  const { center, lo, hi } = delta;
  const unit = units[figure];
  if (unit !== undefined)
    return {
      center: printDifference(center, unit),
      interval: `${printSigned(lo, unit)} to ${printDifference(hi, unit)}`,
    };
  return {
    center: withSign(center, printMs(center)),
    interval: `${withSign(lo, printMsNumber(lo))} to ${withSign(hi, printMs(hi))}`,
  };
}

/** Units of figures that are subtracted where they may be zero. */
const units: Partial<Record<FigureName, Scale>> = {
  us: { symbol: 'µs', divisor: 1, decimals: 1 },
  bytes: { symbol: 'B', divisor: 1, decimals: 0 },
};

function withSign(value: number, text: string): string {
  return value > 0 ? `+${text}` : text;
}

function wordOf(row: FigureChange, figure: FigureName): string {
  return changeInWords(row, figures[figure].better, usualTolerance);
}

/** A change of a metric as text; screen, Markdown and terminal all keep to it. */

/** The difference of the sides in one result: `+18.0 µs` and `+75 %`. Null where a part is not known. */
type PrintedHalf = { amount: string; change: string | null };

/** A change of the difference of the sides; in points where both results have it in percent. */
export type PrintedChange = {
  /** First and second result, in the digits of what changed. */
  halves: readonly [PrintedHalf | null, PrintedHalf | null];
  amount: PrintedDifference | null;
  points: (PrintedDifference & { center: number; decimals: number }) | null;
};

export function printMetricChange({
  unit,
  from,
  to,
  delta,
  outcome,
}: Pick<MetricChange, 'unit' | 'delta' | 'outcome'> & Record<'from' | 'to', Half | null>): PrintedChange {
  const whole = {
    ...({ unit, delta, ratio: null, outcome: outcome === 'changed' ? 'overhead' : 'inconclusive' } as const),
    ...{ baseline: from?.delta ?? null, comparison: to?.delta ?? null },
  };
  const amount = outcome === 'unknown' ? null : printDifferenceOf(whole);
  const points = outcome === 'unknown' ? null : pointsBetween(from, to);
  const scale = scaleOf(whole);
  const named = (text: string) => (unit === 'percent' ? text.replace(' %', ' points') : text);
  const halfOf = (row: Half | null): PrintedHalf | null => {
    if (row === null || row.delta === null || row.outcome === 'refused') return null;
    const own = printDifferenceOf(row);
    const isLost = Math.abs(100 * lessOne(row.ratio?.center ?? 1)) < 0.5 / 10 ** (points?.decimals ?? 0);
    return {
      amount: amount === null ? (own?.signed ?? '–') : named(printDifference(row.delta.center, scale)),
      change:
        points === null || row.ratio === null || isLost
          ? (own?.change?.signed ?? null)
          : printChange(row.ratio.center, points.decimals),
    };
  };
  return {
    halves: [halfOf(from), halfOf(to)],
    amount: amount === null ? null : { ...amount, signed: named(amount.signed) },
    points,
  };
}

type Half = Pick<ComparedMetric, 'unit' | 'baseline' | 'comparison' | 'delta' | 'ratio' | 'outcome'>;

/** The change of the percentage. */
function pointsBetween(from: Half | null, to: Half | null) {
  if (from?.ratio == null || to?.ratio == null) return null;
  const points = mapEstimate(differenceOf(to.ratio, from.ratio), (each) => 100 * each);
  const scale = { symbol: 'points', divisor: 1, decimals: estimateDecimals(points) };
  return {
    ...{ center: points.center, decimals: scale.decimals, symbol: 'points', change: null, values: '' },
    signed: printDifference(points.center, scale),
    amount: printQuantity(Math.abs(points.center), scale),
    ends: `${printSigned(points.lo, scale)} to ${printSigned(points.hi, scale)}`,
  };
}

const asVerdict: Record<ChangeOutcome, VerdictOutcome> = {
  changed: 'overhead',
  no_change: 'no_overhead',
  inconclusive: 'inconclusive',
  unknown: 'refused',
};

/** @param tolerance of the runs: what is too little to matter, as a share */
export function wordOfChange(row: MetricChange, tolerance: number): string {
  return changeInWords(row, metricOf(row.id).better, tolerance);
}

function changeInWords(
  { outcome, ...sides }: Pick<MetricChange, 'outcome' | 'ratio' | 'delta'>,
  better: 'higher' | 'lower',
  tolerance: number,
): string {
  return outcomeInWords(asVerdict[outcome], growthOf(sides), better, tolerance);
}

export function hasGrown(row: Pick<MetricChange, 'ratio' | 'delta'>): boolean {
  return growthOf(row) > 0;
}

/** Above zero when the figure itself grew: as a share where the row has a ratio, else in its unit. */
export function growthOf({ ratio, delta }: Pick<MetricComparison, 'ratio' | 'delta'>): number {
  return ratio === null ? (delta?.center ?? 0) : ratio.center - 1;
}

type Judged = Pick<MetricComparison, 'id' | 'outcome' | 'ratio' | 'delta'>;

/** How screens and reports name the outcome of a metric. @param tolerance what is too little to matter, as a share */
export function wordOfOutcome({ id, outcome, ...sides }: Judged, tolerance: number): string {
  return outcomeInWords(outcome, growthOf(sides), metricOf(id).better, tolerance);
}

/** @param shift above zero when the figure itself grew */
export function outcomeInWords(
  outcome: VerdictOutcome,
  shift: number,
  better: 'higher' | 'lower',
  tolerance: number,
): string {
  if (outcome === 'no_overhead') return capitalized(withinWords(tolerance));
  if (outcome !== 'overhead') return wordsWithoutFinding[outcome];
  return isWorse(shift, better) ? 'Costs more' : 'Costs less';
}

export function isWorse(shift: number, better: 'higher' | 'lower'): boolean {
  return better === 'lower' ? shift > 0 : shift < 0;
}

const wordsWithoutFinding: Record<Exclude<VerdictOutcome, 'overhead' | 'no_overhead'>, string> = {
  inconclusive: 'Unclear',
  not_tested: 'Not tested',
  refused: 'Not available',
};

/** `within ±5 %`. */
export function withinWords(tolerance: number): string {
  return `within ±${Number((tolerance * 100).toFixed(2))} %`;
}
