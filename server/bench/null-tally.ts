import {
  type Estimate,
  type VerdictOutcome,
  verdictOutcomeSchema,
} from '../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricOf, metrics } from '../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { median } from '../method/statistics/quantile.ts';
import type { Attempt } from './attempt-runs.ts';
import { binomialInterval } from './binomial-interval.ts';
import { printCount, printHalfWidth, printTable } from './print-table.ts';

/** What happened on every arm alike. */
export const nullConditions = ['quiet', 'drift', 'period two', 'bursts'] as const;
export type NullCondition = (typeof nullConditions)[number];

/** What a run without any difference said of each primary metric. */
export type NullRun = {
  verdict: VerdictOutcome | null;
  metrics: { id: MetricId; outcome: VerdictOutcome; ratio: Estimate | null }[];
};

/** How often something without any difference was called an overhead, and how often the interval held 1. */
type NullRow = {
  bench: 'null';
  condition: NullCondition | 'all';
  /** `verdict` is the run's sentence; `any_primary` its three primary metrics together. */
  metric: MetricId | 'verdict' | 'any_primary';
  /** Which were not refused. */
  runs: number;
  words: Record<VerdictOutcome, number>;
  overheadShare: Estimate | null;
  /** Intervals that hold 1, and how many there were; null where there is no single interval. */
  covering: number | null;
  intervals: number | null;
  coveringShare: Estimate | null;
  /** A ratio: 0.05 is ±5 %. */
  medianHalfWidth: number | null;
};

/** Attempts that do not count. */
type NullLossRow = {
  bench: 'null';
  condition: NullCondition | 'all';
  counted: number;
  refused: number;
  failed: number;
};

type NullAttempt = Attempt<{ condition: NullCondition }, NullRun>;

const primary = metrics.filter((metric) => metric.primary).map(({ id }) => id);
const words = verdictOutcomeSchema.options;

export function observeNull(document: Pick<RunDocument, 'verdict' | 'metrics'>): NullRun {
  return {
    verdict: document.verdict?.outcome ?? null,
    metrics: document.metrics
      .filter(({ id }) => primary.includes(id))
      .map(({ id, outcome, ratio }) => ({ id, outcome, ratio })),
  };
}

export function tallyNull(attempts: readonly NullAttempt[]): { rows: NullRow[]; losses: NullLossRow[] } {
  const conditions = ['all', ...nullConditions] as const;
  const of = (condition: (typeof conditions)[number]) =>
    attempts.filter(({ planned }) => condition === 'all' || planned.condition === condition);
  return {
    rows: conditions.flatMap((condition) =>
      rowsOf(
        condition,
        of(condition).flatMap((attempt) => (attempt.outcome === 'counted' ? [attempt.observed] : [])),
      ),
    ),
    losses: conditions.map((condition) => lossesOf(condition, of(condition))),
  };
}

function rowsOf(condition: NullRow['condition'], runs: readonly NullRun[]): NullRow[] {
  const verdicts = runs.flatMap(({ verdict }) => verdict ?? []);
  const any = runs.map(({ metrics }) => {
    const outcomes = metrics.map(({ outcome }) => outcome);
    return outcomes.find((outcome) => outcome === 'overhead') ?? outcomes.find(isTold) ?? 'refused';
  });
  return [
    { ...countWords(condition, 'verdict', verdicts), ...noInterval },
    { ...countWords(condition, 'any_primary', any), ...noInterval },
    ...primary.map((id) => metricRow(condition, id, runs)),
  ];
}

const noInterval = { covering: null, intervals: null, coveringShare: null, medianHalfWidth: null };

/** What a run refuses to compare says nothing, rightly or wrongly. */
function isTold(outcome: VerdictOutcome): boolean {
  return outcome !== 'refused';
}

function metricRow(condition: NullRow['condition'], id: MetricId, runs: readonly NullRun[]): NullRow {
  const own = runs.flatMap(({ metrics }) => metrics.filter((metric) => metric.id === id));
  const ratios = own.flatMap(({ outcome, ratio }) => (isTold(outcome) && ratio !== null ? [ratio] : []));
  const covering = ratios.filter(({ lo, hi }) => lo <= 1 && hi >= 1).length;
  return {
    ...countWords(
      condition,
      id,
      own.map(({ outcome }) => outcome),
    ),
    covering,
    intervals: ratios.length,
    coveringShare: binomialInterval(covering, ratios.length),
    medianHalfWidth: ratios.length === 0 ? null : median(ratios.map(({ lo, hi }) => (hi - lo) / 2)),
  };
}

function countWords(
  condition: NullRow['condition'],
  metric: NullRow['metric'],
  outcomes: readonly VerdictOutcome[],
) {
  const counts = Object.fromEntries(
    words.map((word) => [word, outcomes.filter((outcome) => outcome === word).length]),
  ) as Record<VerdictOutcome, number>;
  const runs = outcomes.filter(isTold).length;
  const overheadShare = binomialInterval(counts.overhead, runs);
  return { bench: 'null', condition, metric, runs, words: counts, overheadShare } as const;
}

function lossesOf(condition: NullLossRow['condition'], attempts: readonly NullAttempt[]): NullLossRow {
  const count = (outcome: NullAttempt['outcome']) =>
    attempts.filter((attempt) => attempt.outcome === outcome).length;
  return {
    ...{ bench: 'null', condition },
    ...{ counted: count('counted'), refused: count('refused'), failed: count('failed') },
  };
}

export function printNull(rows: readonly NullRow[], losses: readonly NullLossRow[]): string {
  const table = printTable(
    [
      ...[
        'condition',
        'metric',
        'overhead (at most 5 %)',
        'no overhead',
        'inconclusive',
        'not tested',
        'refused',
      ],
      ...['interval holds no difference', 'median half-width'],
    ],
    rows.map((row) => [
      ...[row.condition, titleOf(row.metric), printCount(row.words.overhead, row.runs, row.overheadShare)],
      ...[row.words.no_overhead, row.words.inconclusive, row.words.not_tested, row.words.refused].map(String),
      row.covering === null ? '' : printCount(row.covering, row.intervals ?? 0, row.coveringShare),
      row.covering === null ? '' : printHalfWidth(row.medianHalfWidth),
    ]),
  );
  const lines = losses.map(
    ({ condition, counted, refused, failed }) =>
      `${condition}: ${counted} runs counted; ${refused} refused and ${failed} failed do not count.\n`,
  );
  return `${table}${lines.join('')}`;
}

function titleOf(metric: NullRow['metric']): string {
  if (metric === 'verdict') return 'the verdict';
  return metric === 'any_primary' ? 'any of the three below' : metricOf(metric).title;
}
