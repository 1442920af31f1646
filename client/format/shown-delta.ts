import { lessOne } from '../../shared/base/estimate-arithmetic.ts';
import {
  intervalDecimals,
  printChange,
  printChangeTick,
  printDifference,
  printNumber,
  printQuantity,
  printRatioTick,
  printSigned,
  type ShiftAxis,
  shiftAxis,
  usTicks,
} from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/base/units.ts';
import type { MetricComparison } from '../../shared/kinds/comparison/comparison.ts';
import { printDifferenceOf, scaleOf, shiftOf } from '../../shared/kinds/comparison/shift.ts';
import type { shownUnits } from '../../shared/results/shown-measurement.ts';
import type { Look } from './looks.ts';
import { changeOf, median, printChanges, printCount } from './printed-figures.ts';

export type ShownUnit = (typeof shownUnits)[number];

/** One figure in the delta table: text, words, and positions. */
export type ShownDelta = {
  id: string;
  /** Key of its figures. */
  quantity?: string;
  anchor: string;
  title: string;
  /** Definition of the figure, in a sentence or two. */
  meaning: string;
  /** Further sentences about it. */
  notes: readonly string[];
  /** Below the title. */
  lines: readonly string[];
  baseline: string | null;
  comparison: string | null;
  /** Null where it was not measured. */
  difference: ShownDifference | null;
  /** Null for rows that are not judged. */
  look: Look | null;
  /** Null where there is no value in the unit that is shown. */
  strip: ShiftRow | null;
  /** Each start and the control, in words; empty if unknown. */
  starts: readonly string[];
};

/** A figure and its interval, a column each; `change` is in percent, or a ratio. Null if the metric has no value in that form. */
type ShownDifference = Record<'amount' | 'change', { center: string; ends: string } | null> & {
  /** Whether the difference is certain, or certainly within the tolerance; any other is a best guess. */
  isCertain: boolean;
};

/** In the unit that is shown: a change of 0.2 for a fifth more, or microseconds. */
export type ShiftRow = {
  interval: { lo: number; center: number; hi: number };
  /** From this run alone, where `interval` rests on more. */
  alone: readonly [number, number] | null;
  /** Each start, or each sample if there are no starts. */
  marks: readonly number[];
  /** Interval of the control. */
  control: readonly [number, number] | null;
  /** Distance from zero, on both sides, that is too little to matter. */
  tolerance: number;
  /** Content of the strip, for those who do not see it. */
  label: string;
};

/** The delta table by its parts. */
export type DeltaParts = {
  /** Figures that the verdict rests on. */
  primary: readonly ShownDelta[];
  /** The others that have a figure. */
  others: readonly ShownDelta[];
  /** Figures without a value. */
  unmeasured: readonly ShownDelta[];
  axis: ShiftAxis;
  tolerance: number;
  unit: ShownUnit;
};

/** The axis contains the first primary row that is drawn, which is that of the verdict. */
export function deltaParts(
  primary: readonly ShownDelta[],
  exploratory: readonly ShownDelta[],
  { tolerance, unit }: Pick<DeltaParts, 'tolerance' | 'unit'>,
): DeltaParts {
  const strips = (rows: readonly ShownDelta[]) => rows.flatMap(({ strip }) => strip ?? []);
  const [headline, ...rest] = strips(primary);
  const others = [...rest, ...strips(exploratory)];
  return {
    ...{ primary, tolerance, unit },
    others: exploratory.filter(({ difference }) => difference !== null),
    unmeasured: exploratory.filter(({ difference }) => difference === null),
    axis: shiftAxis(
      headline === undefined ? [] : [headline.interval],
      others.map(({ interval }) => interval),
      (headline ?? others[0])?.tolerance ?? tolerance,
    ),
  };
}

type Compared = Pick<
  MetricComparison,
  'unit' | 'baseline' | 'comparison' | 'delta' | 'ratio' | 'outcome' | 'twinRatio'
> &
  Partial<Pick<MetricComparison, 'precision'>>;

/** Texts and positions of a row. */
export function shownDifference(
  row: Compared,
  {
    title,
    own = row,
    ratios,
    one,
    unit,
    tolerance,
  }: {
    title: string;
    /** The same from this run alone, if `row` is pooled. */
    own?: Compared;
    /** Single starts, samples, or rounds, each of which is called `one`. */
    ratios: readonly number[];
    one: 'start' | 'sample' | 'round';
    unit: ShownUnit;
    tolerance: number;
  },
): Pick<ShownDelta, 'baseline' | 'comparison' | 'difference' | 'strip' | 'starts'> {
  const { baseline, comparison } = row;
  const { twinRatio } = own;
  const scale = scaleOf(row);
  const [measure, alone] = ratios.length === 0 ? [] : [measureIn(unit, row), measureIn(unit, own)];
  const beside = twinRatio === null ? '' : ', next to the interval of the control';
  return {
    baseline: baseline === null ? null : inShort(printQuantity(baseline.center, scale)),
    comparison: comparison === null ? null : inShort(printQuantity(comparison.center, scale)),
    difference: columnsOf(row, unit),
    strip:
      measure == null || alone == null
        ? null
        : {
            interval: measure.interval,
            alone: own === row ? plainOf(own, alone) : [alone.interval.lo, alone.interval.hi],
            marks: ratios.map(alone.of),
            control: twinRatio === null ? null : [alone.of(twinRatio.lo), alone.of(twinRatio.hi)],
            tolerance: measure.of(1 + tolerance),
            label: `${title}: ${printCount(ratios.length, one)} and the interval over all${beside}`,
          },
    starts: startsInWords(own, ratios, one),
  };
}

/** The interval without the spread from earlier runs; null if they contributed none. */
function plainOf({ precision }: Compared, { of }: Measure): readonly [number, number] | null {
  if (precision == null || precision.plain === null) return null;
  const { plain, prior, betweenRuns } = precision;
  return (prior ?? betweenRuns) === null ? null : [of(Math.exp(plain.lo)), of(Math.exp(plain.hi))];
}

/** How the ratios of a row are shown: as changes, or in the unit of its sides. */
export type Measure = {
  unit: ShownUnit;
  interval: Estimate;
  of: (ratio: number) => number;
  print: (value: number) => string;
  /** `+19.8 to +22.2 %`. */
  printInterval: (interval: Estimate) => string;
};

/** Null if the row has no value in the unit. */
export function measureIn(unit: ShownUnit, row: Omit<Compared, 'twinRatio'>): Measure | null {
  const { ratio, delta, baseline, outcome } = row;
  if (ratio === null || outcome === 'refused') return null;
  if (unit !== 'us') {
    const common = { unit, interval: changeOf(ratio), of: lessOne };
    if (unit === 'percent') {
      return { ...common, print: (change) => printChange(1 + change), printInterval: printChanges };
    }
    return {
      ...{ ...common, print: printRatioTick },
      printInterval: ({ lo, hi }) => `${printRatioTick(lo)} to ${printRatioTick(hi)}`,
    };
  }
  if (row.unit !== 'us' || baseline === null || delta === null) return null;
  const scale = scaleOf(row);
  return {
    ...{ unit, interval: delta },
    of: (of) => baseline.center * lessOne(of),
    print: (us) => printDifference(us, scale),
    printInterval: ({ lo, hi }) => `${printSigned(lo, scale)} to ${printDifference(hi, scale)}`,
  };
}

/** Labels of the axis in a unit. */
export function tickPrinter(unit: ShownUnit, { from, to }: ShiftAxis): (value: number) => string {
  if (unit === 'us') return usTicks(Math.max(-from, to));
  return unit === 'percent' ? printChangeTick : printRatioTick;
}

function columnsOf(row: Compared, unit: ShownUnit): ShownDifference | null {
  const shift = shiftOf(row);
  const printed = printDifferenceOf(row);
  if (shift === null || printed === null) return null;
  const { ratio, delta } = row;
  const { signed, ends, change } = printed;
  const exact = (of: Estimate | null, text: string) => (of !== null && of.lo === of.hi ? 'exact' : text);
  return {
    amount: { center: inShort(signed), ends: exact(delta, ends) },
    change:
      change === null || ratio === null
        ? null
        : {
            center: unit === 'ratio' ? printRatio(ratio, 'center') : change.signed,
            ends: exact(
              ratio,
              unit === 'ratio' ? `${printRatio(ratio, 'lo')} to ${printRatio(ratio, 'hi')}` : change.ends,
            ),
          },
    isCertain: shift.center !== null,
  };
}

/** `−17,500/s`: the title says what is counted. */
export function inShort(quantity: string): string {
  return quantity.replace(' transactions/s', '/s');
}

/** `×1.213` of a ratio that is `+21.3 %` as a change. */
export function printRatio(ratio: Estimate, part: keyof Estimate): string {
  return `×${printNumber(ratio[part], intervalDecimals(ratio) + 2)}`;
}

/** More are summarized. */
const mostStarts = 12;

/** `start 1: +17.7 µs, +74 %`, `2: +18.4, +77 %`, and the control. Many samples are summarized by their median and range. */
function startsInWords(row: Compared, ratios: readonly number[], one: string): string[] {
  const { baseline, ratio, twinRatio, outcome } = row;
  if (baseline === null || ratio === null || outcome === 'refused') return [];
  const scale = scaleOf(row);
  const digits = intervalDecimals(ratio);
  const amount = (each: number) => printSigned(baseline.center * lessOne(each), scale);
  const change = (each: number) => printChange(each, digits);
  const whole = (each: number) => `${amount(each)} ${scale.symbol}, ${change(each)}`;
  const control = twinRatio === null ? [] : [`control: ${whole(twinRatio.center)}`];
  if (ratios.length <= mostStarts) {
    const [first, ...others] = ratios;
    if (first === undefined) return control;
    const rest = others.map((each, index) => `${index + 2}: ${amount(each)}, ${change(each)}`);
    return [`${one} 1: ${whole(first)}`, ...rest, ...control];
  }
  const [least, middle, most] = [Math.min(...ratios), median(ratios), Math.max(...ratios)];
  return [
    `${printCount(ratios.length, one)}, median ${whole(middle)}`,
    `least ${whole(least)}`,
    `most ${whole(most)}`,
    ...control,
  ];
}

/** Most rows may have the same reason, such as that the run is too noisy: it stands in the first of them. Adds to `said`. */
export function freshReasons(row: { outcome: string; reasons: readonly string[] }, said: Set<string>) {
  if (row.outcome === 'refused') return row.reasons;
  const fresh = row.reasons.filter((reason) => !said.has(reason));
  for (const reason of fresh) said.add(reason);
  return fresh;
}
