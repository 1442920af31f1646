import type { Estimate } from '../../shared/comparison.ts';
import { type MetricId, metricOf } from '../../shared/metric.ts';
import { printDifference, scaleFor } from '../../shared/quantity.ts';
import type { RunDocument } from '../../shared/run.ts';
import { median } from '../statistics/quantile.ts';
import type { Perturbation } from '../target/storefront/perturbation.ts';
import type { Attempt } from './attempt-runs.ts';
import { binomialInterval } from './binomial-interval.ts';
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
  const checks = checksOf(added).map(({ metric, truthOf }) =>
    truthOf === null ? unmoved(document, metric) : inside(document, metric, truthOf(document)),
  );
  return checks.every((check) => check !== null) ? checks : null;
}

/** What an effect has to show: by how much it moves which metric, or, with null, that it does not. */
function checksOf({ cpuUs, sleepMs, bodyBytes }: Perturbation) {
  const checks: { metric: MetricId; truthOf: ((document: RunDocument) => number) | null }[] = [];
  const aTransaction = (ofRequest: number) => (document: RunDocument) =>
    ofRequest * document.scenario.steps.length;
  if (cpuUs > 0) checks.push({ metric: 'cpu_per_transaction', truthOf: aTransaction(cpuUs) });
  if (sleepMs > 0) {
    checks.push({ metric: 'latency_p50', truthOf: aTransaction(sleepMs * 1000) });
    checks.push({ metric: 'cpu_per_transaction', truthOf: null });
  }
  if (bodyBytes > 0) {
    checks.push({
      metric: 'wire_bytes_per_transaction',
      truthOf: (document) => addedBytes(document, bodyBytes),
    });
  }
  return checks;
}

/** The bodies, and the digits by which their Content-Length grows. */
function addedBytes({ preflight }: RunDocument, bodyBytes: number): number {
  const lengths = preflight?.sides.baseline.responses.map((response) => response.bodyBytes) ?? [];
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
    const rows = checksOf(effect.added).map(({ metric }, place) => ({
      ...common,
      metric,
      ...tallyOf(runs.flatMap((checks) => checks[place] ?? [])),
    }));
    return rows.length > 1 ? [...rows, { ...common, metric: 'together', ...togetherIn(runs) }] : rows;
  });
}

type Tallied = Omit<InjectRow, 'bench' | 'effect' | 'metric' | 'refused' | 'failed'>;

function tallyOf(checks: readonly Check[]): Tallied {
  return {
    truth: checks[0]?.truth ?? null,
    ...countRecovered(checks.map(({ recovered }) => recovered)),
    medianEstimate: medianOrNull(checks.map(({ estimate }) => estimate.center)),
    medianHalfWidth: medianOrNull(checks.map(({ estimate: { lo, hi } }) => (hi - lo) / 2)),
  };
}

function togetherIn(runs: readonly Check[][]): Tallied {
  const recovered = runs.map((checks) => checks.every((check) => check.recovered));
  const nothing = { truth: null, medianEstimate: null, medianHalfWidth: null };
  return { ...countRecovered(recovered), ...nothing };
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
        // No values to choose it by: always the metric's own unit.
        const scale = scaleFor(metricOf(metric).unit, [], medianHalfWidth ? [medianHalfWidth] : []);
        return printDifference(value, scale);
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
