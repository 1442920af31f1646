import type { Estimate, VerdictOutcome } from '../../shared/comparison.ts';
import { type MetricId, metricOf, metrics } from '../../shared/metric.ts';
import type { RunDocument } from '../../shared/run.ts';
import { median } from '../statistics/quantile.ts';
import type { Attempt } from './attempt-runs.ts';
import { binomialInterval } from './binomial-interval.ts';
import { printCount, printTable } from './print-table.ts';

/** `perturbed`: with a drift and a disturbance of period two on every arm. */
export type NullCondition = 'calm' | 'perturbed';

/** What a run without any difference said of each primary metric. */
export type NullRun = {
  condition: NullCondition;
  verdict: VerdictOutcome | null;
  metrics: { id: MetricId; outcome: VerdictOutcome; ratio: Estimate | null }[];
  /** More than a fifth of its blocks were dropped. */
  disturbed: boolean;
};

/** How often something without any difference was called an overhead, and how often the interval held 1. */
export type NullRow = {
  bench: 'null';
  condition: NullCondition | 'all';
  /** `verdict` is the run's sentence; `any_primary` its three primary metrics together. */
  metric: MetricId | 'verdict' | 'any_primary';
  runs: number;
  overheads: number;
  overheadShare: Estimate | null;
  /** Intervals that hold 1; null where there is no single interval. */
  covering: number | null;
  coveringShare: Estimate | null;
  /** A ratio: 0.05 is ±5 %. */
  medianHalfWidth: number | null;
};

/** Attempts that do not count, and counted runs that were disturbed. */
export type NullLossRow = {
  bench: 'null';
  condition: NullCondition | 'all';
  counted: number;
  disturbed: number;
  refused: number;
  failed: number;
};

type NullAttempt = Attempt<{ condition: NullCondition }, NullRun>;

const primary = metrics.filter((metric) => metric.primary).map(({ id }) => id);
const disturbedShare = 0.2;
const conditions = ['all', 'calm', 'perturbed'] as const;

export function observeNull(document: RunDocument, condition: NullCondition): NullRun {
  const dropped = document.blocks.filter(({ reasons }) => reasons.length > 0).length;
  return {
    condition,
    verdict: document.verdict?.outcome ?? null,
    metrics: document.metrics
      .filter(({ id }) => primary.includes(id))
      .map(({ id, outcome, ratio }) => ({ id, outcome, ratio })),
    disturbed: dropped > document.blocks.length * disturbedShare,
  };
}

export function tallyNull(attempts: readonly NullAttempt[]): { rows: NullRow[]; losses: NullLossRow[] } {
  const of = (condition: (typeof conditions)[number]) =>
    attempts.filter(({ planned }) => condition === 'all' || planned.condition === condition);
  return {
    rows: conditions.flatMap((condition) => rowsOf(condition, of(condition).flatMap(observedIn))),
    losses: conditions.map((condition) => lossesOf(condition, of(condition))),
  };
}

function observedIn(attempt: NullAttempt): NullRun[] {
  return attempt.outcome === 'counted' ? [attempt.observed] : [];
}

function rowsOf(condition: NullRow['condition'], runs: readonly NullRun[]): NullRow[] {
  const verdicts = runs.flatMap(({ verdict }) => verdict ?? []);
  const any = runs.map(({ metrics }) => {
    const outcomes = metrics.map(({ outcome }) => outcome);
    return outcomes.find((outcome) => outcome === 'overhead') ?? outcomes.find(isTold) ?? 'refused';
  });
  return [
    { ...countOverheads(condition, 'verdict', verdicts), ...noInterval },
    { ...countOverheads(condition, 'any_primary', any), ...noInterval },
    ...primary.map((id) => metricRow(condition, id, runs)),
  ];
}

const noInterval = { covering: null, coveringShare: null, medianHalfWidth: null };

/** What a run refuses to compare says nothing, rightly or wrongly. */
function isTold(outcome: VerdictOutcome): boolean {
  return outcome !== 'refused';
}

function metricRow(condition: NullRow['condition'], id: MetricId, runs: readonly NullRun[]): NullRow {
  const told = runs.flatMap(({ metrics }) =>
    metrics.flatMap(({ id: of, outcome, ratio }) =>
      of === id && isTold(outcome) && ratio !== null ? [{ outcome, ratio }] : [],
    ),
  );
  const covering = told.filter(({ ratio }) => ratio.lo <= 1 && ratio.hi >= 1).length;
  const halfWidths = told.map(({ ratio }) => (ratio.hi - ratio.lo) / 2);
  return {
    ...countOverheads(
      condition,
      id,
      told.map(({ outcome }) => outcome),
    ),
    covering,
    coveringShare: binomialInterval(covering, told.length),
    medianHalfWidth: halfWidths.length === 0 ? null : median(halfWidths),
  };
}

function countOverheads(
  condition: NullRow['condition'],
  metric: NullRow['metric'],
  outcomes: readonly VerdictOutcome[],
) {
  const runs = outcomes.filter(isTold).length;
  const overheads = outcomes.filter((outcome) => outcome === 'overhead').length;
  const overheadShare = binomialInterval(overheads, runs);
  return { bench: 'null', condition, metric, runs, overheads, overheadShare } as const;
}

function lossesOf(condition: NullLossRow['condition'], attempts: readonly NullAttempt[]): NullLossRow {
  const count = (outcome: NullAttempt['outcome']) =>
    attempts.filter((attempt) => attempt.outcome === outcome).length;
  return {
    bench: 'null',
    condition,
    counted: count('counted'),
    disturbed: attempts.flatMap(observedIn).filter(({ disturbed }) => disturbed).length,
    refused: count('refused'),
    failed: count('failed'),
  };
}

export function printNull(rows: readonly NullRow[], losses: readonly NullLossRow[]): string {
  const table = printTable(
    ['condition', 'metric', 'overhead (at most 5 %)', 'interval holds no difference', 'median half-width'],
    rows.map((row) => [
      row.condition,
      titleOf(row.metric),
      printCount(row.overheads, row.runs, row.overheadShare),
      row.covering === null ? '' : printCount(row.covering, row.runs, row.coveringShare),
      row.medianHalfWidth === null ? '' : `±${(row.medianHalfWidth * 100).toFixed(1)} %`,
    ]),
  );
  const lines = losses.map(
    ({ condition, counted, disturbed, refused, failed }) =>
      `${condition}: ${counted} runs counted, ${disturbed} of them disturbed; ${refused} refused and ${failed} failed do not count.\n`,
  );
  return `${table}${lines.join('')}`;
}

function titleOf(metric: NullRow['metric']): string {
  if (metric === 'verdict') return 'the verdict';
  return metric === 'any_primary' ? 'any of the three below' : metricOf(metric).title;
}
