import type { Estimate } from '../../shared/comparison.ts';
import { type MetricId, metricOf } from '../../shared/metric.ts';
import { printDifference, scaleFor } from '../../shared/quantity.ts';
import type { RunDocument } from '../../shared/run.ts';
import { binomialInterval } from '../statistics/binomial-interval.ts';
import { median } from '../statistics/quantile.ts';
import type { Perturbation } from '../target/storefront/perturbation.ts';
import type { Attempt } from './attempt-runs.ts';
import { printCount, printTable } from './print-table.ts';

export type Effect = {
  name: string;
  /** What the comparison side carries over the others. */
  added: Perturbation;
};

/** One thing that a run should have shown of the effect. */
export type Check = {
  metric: MetricId;
  /** In the metric's unit; 0 says that the effect must leave the metric alone. */
  truth: number;
  /** As the run shows it, in the metric's unit. */
  estimate: Estimate;
  recovered: boolean;
};

export type InjectRow = {
  bench: 'inject';
  effect: string;
  /** `together`: all that the effect should have shown, in one run. */
  metric: MetricId | 'together';
  /** In the metric's unit. */
  truth: number | null;
  runs: number;
  recovered: number;
  recoveredShare: Estimate | null;
  medianEstimate: number | null;
  medianHalfWidth: number | null;
  refused: number;
  failed: number;
};

type InjectAttempt = Attempt<{ effect: Effect }, Check[]>;

/** Null when the run has no interval for one of the metrics. */
export function observeEffect(document: RunDocument, { added }: Effect): Check[] | null {
  const requests = document.scenario.steps.length;
  const checks: (Check | null)[] = [];
  const { cpuUs, sleepMs, bodyBytes } = added;
  if (cpuUs > 0) checks.push(inside(document, 'cpu_per_transaction', cpuUs * requests));
  if (sleepMs > 0) {
    checks.push(inside(document, 'latency_p50', sleepMs * 1000 * requests));
    checks.push(unmoved(document, 'cpu_per_transaction'));
  }
  if (bodyBytes > 0) {
    checks.push(inside(document, 'wire_bytes_per_transaction', addedBytes(document, bodyBytes)));
  }
  return checks.every((check) => check !== null) ? checks : null;
}

/** The bodies, and the digits by which their Content-Length grows. */
function addedBytes({ preflight }: RunDocument, bodyBytes: number): number {
  const lengths = preflight?.sides[0].responses.map((response) => response.bodyBytes) ?? [];
  const digits = (length: number) => `${length}`.length;
  return lengths.reduce((sum, length) => sum + bodyBytes + digits(length + bodyBytes) - digits(length), 0);
}

/** Sums of slots are divided and averaged, so an exact interval may miss the truth by its last binary digits. */
const rounding = 1e-9;

function inside(document: RunDocument, metric: MetricId, truth: number): Check | null {
  const estimate = document.metrics.find(({ id }) => id === metric)?.delta ?? null;
  if (estimate === null) return null;
  const slack = truth * rounding;
  const recovered = estimate.lo - slack <= truth && truth <= estimate.hi + slack;
  return { metric, truth, estimate, recovered };
}

/** The interval holds no difference, or the difference is one that two identical listeners show as well. */
function unmoved(document: RunDocument, metric: MetricId): Check | null {
  const { delta = null, ratio = null } = document.metrics.find(({ id }) => id === metric) ?? {};
  if (delta === null || ratio === null) return null;
  const floor = document.noiseFloor[metric] ?? 0;
  const recovered = (ratio.lo <= 1 && ratio.hi >= 1) || Math.abs(ratio.center - 1) <= floor;
  return { metric, truth: 0, estimate: delta, recovered };
}

/** A row for each thing that an effect should have shown; where there are several, one for all of them together. */
export function tallyEffects(effects: readonly Effect[], attempts: readonly InjectAttempt[]): InjectRow[] {
  return effects.flatMap((effect) => {
    const own = attempts.filter(({ planned }) => planned.effect.name === effect.name);
    const count = (outcome: InjectAttempt['outcome']) =>
      own.filter((attempt) => attempt.outcome === outcome).length;
    const common = {
      bench: 'inject',
      effect: effect.name,
      refused: count('refused'),
      failed: count('failed'),
    } as const;
    const runs = own.flatMap((attempt) => (attempt.outcome === 'counted' ? [attempt.observed] : []));
    const rows = (runs[0] ?? []).map((_, place) => ({
      ...common,
      ...rowOf(runs.flatMap((checks) => checks[place] ?? [])),
    }));
    return rows.length > 1 ? [...rows, { ...common, ...together(runs) }] : rows;
  });
}

type Tallied = Omit<InjectRow, 'bench' | 'effect' | 'refused' | 'failed'>;

function rowOf(checks: readonly Check[]): Tallied {
  return {
    metric: checks[0]?.metric ?? 'together',
    truth: checks[0]?.truth ?? null,
    ...countRecovered(checks.map(({ recovered }) => recovered)),
    medianEstimate: medianOrNull(checks.map(({ estimate }) => estimate.center)),
    medianHalfWidth: medianOrNull(checks.map(({ estimate: { lo, hi } }) => (hi - lo) / 2)),
  };
}

function together(runs: readonly Check[][]): Tallied {
  const recovered = runs.map((checks) => checks.every((check) => check.recovered));
  const nothing = { truth: null, medianEstimate: null, medianHalfWidth: null };
  return { metric: 'together', ...countRecovered(recovered), ...nothing };
}

function countRecovered(each: readonly boolean[]) {
  const recovered = each.filter(Boolean).length;
  return { runs: each.length, recovered, recoveredShare: binomialInterval(recovered, each.length) };
}

function medianOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}

export function printEffects(rows: readonly InjectRow[]): string {
  return printTable(
    [
      'effect',
      'metric',
      'truth',
      'recovered (at least 90 %)',
      'median estimate',
      'median half-width',
      'lost',
    ],
    rows.map((row) => {
      const { metric, truth, medianEstimate, medianHalfWidth, refused, failed } = row;
      const print = (value: number | null) => {
        if (value === null || metric === 'together') return '';
        const finest = medianHalfWidth === null ? [] : [medianHalfWidth];
        return printDifference(value, scaleFor(metricOf(metric).unit, [truth || value], finest));
      };
      return [
        row.effect,
        metric === 'together' ? 'both' : metricOf(metric).title,
        truth === 0 ? 'nothing' : print(truth),
        printCount(row.recovered, row.runs, row.recoveredShare),
        print(medianEstimate),
        print(medianHalfWidth).replace('+', '±'),
        `${refused} refused, ${failed} failed`,
      ];
    }),
  );
}
