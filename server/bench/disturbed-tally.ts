import type { Estimate, VerdictOutcome } from '../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricOf, metrics } from '../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { meanOf } from '../method/statistics/mean.ts';
import { median } from '../method/statistics/quantile.ts';
import type { Attempt } from './attempt-runs.ts';
import { binomialInterval } from './binomial-interval.ts';
import { printCount, printHalfWidth, printShift, printTable } from './print-table.ts';

/** What else was at work on the machine. */
export const conditions = ['quiet', 'one busy loop', 'two busy loops', 'a build', 'bursts'] as const;
export type Condition = (typeof conditions)[number];

type DisturbedRun = {
  /** From the request to the verdict. */
  seconds: number;
  metrics: { id: MetricId; outcome: VerdictOutcome; ratio: Estimate | null }[];
};

/** What became of the runs under one condition. */
type EndRow = {
  bench: 'disturbed';
  condition: Condition;
  runs: number;
  finished: number;
  finishedShare: Estimate | null;
  refused: number;
  failed: number;
  medianSeconds: number | null;
  longestSeconds: number | null;
};

type AgreementRow = {
  bench: 'disturbed';
  condition: Condition;
  metric: MetricId;
  /** Intervals, whatever the outcome, and the finished runs they come from. */
  intervals: number;
  runs: number;
  /** Finished runs that refuse this metric. */
  refused: number;
  /** Mean of the quiet runs, as a ratio; for a quiet run of the other quiet ones. */
  quiet: number | null;
  /** Intervals that hold the quiet value. */
  agreeing: number;
  agreeingShare: Estimate | null;
  /** A ratio: 0.05 is ±5 %. */
  medianHalfWidth: number | null;
};

export type DisturbedAttempt = Attempt<{ condition: Condition }, DisturbedRun>;

const primary = metrics.filter((metric) => metric.primary).map(({ id }) => id);

export function observeDisturbed(document: RunDocument): DisturbedRun {
  return {
    seconds: ((document.endedAt ?? 0) - (document.startedAt ?? 0)) / 1000,
    metrics: document.metrics
      .filter(({ id }) => primary.includes(id))
      .map(({ id, outcome, ratio }) => ({ id, outcome, ratio })),
  };
}

export function tallyDisturbed(attempts: readonly DisturbedAttempt[]): {
  rows: AgreementRow[];
  ends: EndRow[];
} {
  const of = (condition: Condition) => attempts.filter(({ planned }) => planned.condition === condition);
  return {
    ends: conditions.map((condition) => endsOf(condition, of(condition))),
    rows: conditions.flatMap((condition) =>
      primary.map((id) => agreementOf(condition, id, observedIn(of(condition)), observedIn(of('quiet')))),
    ),
  };
}

function observedIn(attempts: readonly DisturbedAttempt[]): DisturbedRun[] {
  return attempts.flatMap((attempt) => (attempt.outcome === 'counted' ? [attempt.observed] : []));
}

function endsOf(condition: Condition, attempts: readonly DisturbedAttempt[]): EndRow {
  const count = (outcome: DisturbedAttempt['outcome']) =>
    attempts.filter((attempt) => attempt.outcome === outcome).length;
  const seconds = observedIn(attempts).map((run) => run.seconds);
  const finished = count('counted');
  return {
    ...({ bench: 'disturbed', condition, runs: attempts.length, finished } as const),
    finishedShare: binomialInterval(finished, attempts.length),
    ...{ refused: count('refused'), failed: count('failed') },
    medianSeconds: seconds.length === 0 ? null : median(seconds),
    longestSeconds: seconds.length === 0 ? null : Math.max(...seconds),
  };
}

function agreementOf(
  condition: Condition,
  metric: MetricId,
  runs: readonly DisturbedRun[],
  quietRuns: readonly DisturbedRun[],
): AgreementRow {
  const ratioOf = (run: DisturbedRun) => run.metrics.find(({ id }) => id === metric)?.ratio ?? null;
  const quietOf = (without: DisturbedRun | null) => {
    const logs = quietRuns.flatMap((run) => {
      const ratio = run === without ? null : ratioOf(run);
      return ratio === null ? [] : [Math.log(ratio.center)];
    });
    return logs.length === 0 ? null : Math.exp(meanOf(logs));
  };
  const ratios = runs.flatMap((run) => {
    const ratio = ratioOf(run);
    return ratio === null ? [] : [{ ratio, quiet: quietOf(run) }];
  });
  const comparable = ratios.flatMap(({ ratio, quiet }) => (quiet === null ? [] : [{ ratio, quiet }]));
  const agreeing = comparable.filter(({ ratio, quiet }) => ratio.lo <= quiet && quiet <= ratio.hi).length;
  return {
    ...({ bench: 'disturbed', condition, metric, intervals: comparable.length, runs: runs.length } as const),
    refused: runs.filter((run) =>
      run.metrics.some(({ id, outcome }) => id === metric && outcome === 'refused'),
    ).length,
    ...{ quiet: quietOf(null), agreeing, agreeingShare: binomialInterval(agreeing, comparable.length) },
    medianHalfWidth:
      ratios.length === 0 ? null : median(ratios.map(({ ratio }) => (ratio.hi - ratio.lo) / 2)),
  };
}

export function printDisturbed(rows: readonly AgreementRow[], ends: readonly EndRow[]): string {
  const seconds = (value: number | null) => (value === null ? '' : `${value.toFixed(1)} s`);
  const endTable = printTable(
    ['condition', 'finished', 'refused', 'failed', 'took, median', 'took, longest (at most 40 s)'],
    ends.map((row) => [
      ...[row.condition, printCount(row.finished, row.runs, row.finishedShare)],
      ...[`${row.refused}`, `${row.failed}`, seconds(row.medianSeconds), seconds(row.longestSeconds)],
    ]),
  );
  const table = printTable(
    [
      ...['condition', 'metric', 'quiet value', 'interval holds it (at least 90 %)'],
      ...['median half-width', 'metric refused'],
    ],
    rows.map((row) => [
      ...[row.condition, metricOf(row.metric).title],
      printShift(row.quiet),
      printCount(row.agreeing, row.intervals, row.agreeingShare),
      printHalfWidth(row.medianHalfWidth),
      `${row.refused} of ${row.runs}`,
    ]),
  );
  return `${endTable}\n${table}`;
}
