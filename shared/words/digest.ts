import { lessOne, mapEstimate } from '../base/estimate-arithmetic.ts';
import { printQuantity } from '../base/quantity.ts';
import { looksOf, type SideLooks } from '../base/side-looks.ts';
import { type BySide, labelsOf } from '../base/transport.ts';
import type { Estimate } from '../base/units.ts';
import { titleOfMetric } from '../kinds/comparison/at-load.ts';
import { ciOf, type MetricComparison, type VerdictOutcome } from '../kinds/comparison/comparison.ts';
import { cpuFirst, metricOf } from '../kinds/comparison/metric.ts';
import { printLength } from '../kinds/comparison/options.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { askedSidesOf } from '../kinds/comparison/run-request.ts';
import { type Shift, scaleOf, shiftOf } from '../kinds/comparison/shift.ts';
import type { Headline } from '../measurement/measurement.ts';
import { wordOfOutcome } from './change-words.ts';
import { headlineOfRun, headlineRowOf, pooledRow } from './headline.ts';
import { differencesInWords, isNullRun, targetsInSentence } from './side-words.ts';
import { unaskedInWords } from './unasked-differences.ts';
import { evidenceOf } from './verdict-evidence.ts';

/** Content of a picture, a frame, or a message about a result: words and digits of the top of its page. */
export type Digest = {
  /** A result without a finding has the name of what was measured, and an empty second line. */
  headline: Headline;
  /** This run alone, with its basis; null if nothing is printed. */
  evidence: string | null;
  /** Requested differences between the sides; absent if their names show them. */
  differences?: string;
  /** Other differences, in sentences; absent if none are known. */
  caution?: string;
  /** Null without a verdict. */
  outcome: VerdictOutcome | null;
  /** Null where no two sides were compared. */
  compared: Compared | null;
  /** `Search on the demo shop, HTTP and HTTPS, standard`. */
  setting: string;
  /** In milliseconds since 1970. */
  measuredAt: number;
};

export type Compared = {
  /** Names of the sides, for column heads. */
  sides: BySide<string>;
  looks: BySide<SideLooks>;
  /** `95 % CI`, for the head of a column. */
  ci: string;
  /** The primary metrics, CPU first. */
  cards: readonly DigestCard[];
};

export type DigestCard = {
  title: string;
  baseline: string;
  comparison: string;
  /** The change where it is real, otherwise its interval; a dash when it was refused. */
  change: string;
  /** Stands beside the change: its interval, or that it is one. Empty when it was refused. */
  range: string;
  /** Whether the change is told from none. */
  real: boolean;
  /** `Costs more`, `Within ±5 %` … */
  word: string;
  /** Changes, 0.21 for +21 %; null if there is no ratio, or it was refused. */
  interval: Estimate | null;
};

/** Digest of a run; null without a verdict. */
export function digestOf(run: RunDocument): Digest | null {
  const { verdict, metrics, scenario, plan, pool, createdAt } = run;
  const headline = headlineOfRun(run);
  if (run.state !== 'finished' || verdict === null || headline === null) return null;
  const sides = labelsOf(run.sides);
  const differences = differencesInWords(askedSidesOf(run));
  const caution = unaskedInWords(run);
  const primary = metrics.filter(({ id }) => metricOf(id).primary).map((row) => pooledRow(row, pool));
  return {
    headline,
    evidence: evidenceOf(run),
    ...(differences === null ? {} : { differences }),
    ...(caution === null ? {} : { caution }),
    outcome: headlineRowOf(run)?.row.outcome ?? verdict.outcome,
    compared: {
      sides,
      looks: looksOf(run.sides),
      ci: ciOf(metrics[0] ?? {}),
      cards: primary.toSorted(cpuFirst).map((row) => cardOf(row, run)),
    },
    setting: `${scenario.name} on ${targetsInSentence(run)}, ${sides.baseline} and ${sides.comparison}${isNullRun(askedSidesOf(run)) ? ' (null run)' : ''}, ${printLength(plan.length)}`,
    measuredAt: createdAt,
  };
}

/** The same with the title that somebody gave the result, in front of what was measured. */
export function withTitle(digest: Digest, title: string | null): Digest {
  return title === null ? digest : { ...digest, setting: `${title}: ${digest.setting}` };
}

const none = '–';

function cardOf(row: MetricComparison, { scenario, plan, atLoad }: RunDocument): DigestCard {
  const { baseline, comparison, ratio, outcome } = row;
  const scale = scaleOf(row);
  const shift = shiftOf(row);
  const print = (side: Estimate | null) => (side === null ? none : printQuantity(side.center, scale));
  return {
    title: titleOfMetric(row.id, { scenario, atLoad }),
    baseline: print(baseline),
    comparison: print(comparison),
    change: shift?.center ?? shift?.interval ?? none,
    range: rangeOf(shift, ciOf(row)),
    real: shift !== null && shift.center !== null,
    word: wordOfOutcome(row, plan.tolerance),
    interval: outcome === 'refused' ? null : mapEstimate(ratio, lessOne),
  };
}

function rangeOf(shift: Shift | null, ci: string): string {
  if (shift === null) return '';
  return shift.center === null ? ci : shift.interval;
}
