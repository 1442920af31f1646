import type { MetricComparison } from '../../shared/kinds/comparison/comparison.ts';
import type { ChangeOutcome, MetricChange } from '../../shared/kinds/comparison/result-changes.ts';
import type { Shift } from '../../shared/kinds/comparison/shift.ts';
import { wordOfChange } from '../../shared/words/change-words.ts';
import type { Look } from './looks.ts';
import { changeOf, printCount } from './printed-figures.ts';
import { type ShiftAxis, shiftAxis } from './ticks.ts';

/** One figure in the delta table: text, words, and positions. */
export type ShownDelta = {
  id: string;
  anchor: string;
  title: string;
  /** Stands behind the title. */
  meaning: string;
  /** Below the title. */
  lines: readonly string[];
  baseline: string | null;
  comparison: string | null;
  shift: Shift | null;
  look: Look;
  /** Null where there is no change in percent. */
  strip: ShiftRow | null;
};

export type ShiftRow = {
  interval: { lo: number; center: number; hi: number };
  /** Marks of each launch, or of each block if there are no launches. */
  marks: readonly number[];
  /** Interval of the twin. */
  twin: readonly [number, number] | null;
  /** Text alternative of the strip. */
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
};

export function deltaParts(
  primary: readonly ShownDelta[],
  exploratory: readonly ShownDelta[],
  tolerance: number,
): DeltaParts {
  const [headline] = primary.filter(({ strip }) => strip !== null);
  const drawn = [...primary, ...exploratory].flatMap((each) =>
    each.strip === null
      ? []
      : [{ interval: each.strip.interval, certain: each.shift?.center != null, whole: each === headline }],
  );
  return {
    primary,
    others: exploratory.filter(({ shift }) => shift !== null),
    unmeasured: exploratory.filter(({ shift }) => shift === null),
    axis: shiftAxis(drawn, tolerance),
    tolerance,
  };
}

type Compared = Pick<MetricComparison, 'outcome' | 'ratio' | 'twinRatio'>;

/** A change in one line. @param ratios of single launches or blocks, each of which is called `one` */
export function stripOf(
  { outcome, ratio, twinRatio }: Compared,
  title: string,
  ratios: readonly number[],
  one: 'launch' | 'sample' | 'block',
): ShiftRow | null {
  if (ratio === null || outcome === 'refused' || ratios.length === 0) return null;
  const beside = twinRatio === null ? '' : ', beside the interval of the twin';
  return {
    interval: changeOf(ratio),
    marks: ratios.map((each) => each - 1),
    twin: twinRatio === null ? null : [twinRatio.lo - 1, twinRatio.hi - 1],
    label: `${title}: ${printCount(ratios.length, one)} and the interval over all${beside}`,
  };
}

/** Most rows may have the same reason, such as that the run is too noisy: it stands in the first of them. Adds to `said`. */
export function freshReasons(row: { outcome: string; reasons: readonly string[] }, said: Set<string>) {
  if (row.outcome === 'refused') return row.reasons;
  const fresh = row.reasons.filter((reason) => !said.has(reason));
  for (const reason of fresh) said.add(reason);
  return fresh;
}

/** An arrow says whether the cost rose. @param tolerance of the runs */
export function lookOfChange(row: MetricChange, tolerance: number): Look {
  return lookOfWord(row.outcome, wordOfChange(row, tolerance));
}

export function lookOfWord(outcome: ChangeOutcome, word: string): Look {
  if (outcome !== 'changed') return { word, ...looks[outcome] };
  return { word, tone: 'note', icon: word === 'Costs more' ? 'up' : 'down' };
}

const looks: Record<Exclude<ChangeOutcome, 'changed'>, Omit<Look, 'word'>> = {
  no_change: { tone: 'good', icon: 'equal' },
  inconclusive: { tone: 'warn', icon: 'question' },
  unknown: { tone: 'quiet', icon: 'barred' },
};
