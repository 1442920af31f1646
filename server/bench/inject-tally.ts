import { printDifference, scaleFor } from '../../shared/base/quantity.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { type MetricId, metricOf } from '../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { median } from '../method/statistics/quantile.ts';
import type { Perturbation } from '../targets/storefront/perturbation.ts';
import type { Attempt } from './attempt-runs.ts';
import { binomialInterval } from './binomial-interval.ts';
import type { Disturbance } from './disturber-process.ts';
import { printCount, printTable } from './print-table.ts';
import { meanInterval } from './spread.ts';

export type Effect = {
  name: string;
  /** What a request of each side carries; the twin is one of the others. */
  comparison: Perturbation;
  others: Perturbation;
  /** What the comparison's burden costs more of CPU than the others', a request; 0 where nothing is asked of it. */
  cpuUs: number;
  /** The same of a transaction's time. */
  latencyUs: number;
  disturbances: Disturbance[];
};

/** One thing that a run should have shown of the effect. */
export type Check = {
  metric: MetricId;
  /** In the metric's unit. */
  truth: number;
  /** As the run shows it, in the metric's unit. */
  estimate: Estimate;
  /** The interval holds the truth. */
  covered: boolean;
  /** The word was overhead, on the side of the truth. */
  found: boolean;
};

type InjectRow = {
  bench: 'inject';
  effect: string;
  metric: MetricId;
  /** In the metric's unit. */
  truth: number | null;
  runs: number;
  covered: number;
  coveredShare: Estimate | null;
  found: number;
  foundShare: Estimate | null;
  /** Estimates on the side of the truth. */
  rightSign: number;
  rightSignShare: Estimate | null;
  /** Mean of what the estimates lie above the truth. */
  bias: Estimate | null;
  medianHalfWidth: number | null;
  refused: number;
  failed: number;
};

type InjectAttempt = Attempt<{ effect: Effect }, Check[]>;

type Expected = { metric: MetricId; truthOf(document: RunDocument): number };

/** Null when the run has no interval for one of the metrics. */
export function observeEffect(document: RunDocument, effect: Effect): Check[] | null {
  const checks = expectedOf(effect).map(({ metric, truthOf }) => check(document, metric, truthOf(document)));
  return checks.every((each) => each !== null) ? checks : null;
}

/** By how much an effect has to move which metric. */
function expectedOf({ comparison, others, cpuUs, latencyUs }: Effect): Expected[] {
  const bodyBytes = comparison.bodyBytes - others.bodyBytes;
  return [
    ...(latencyUs === 0 ? [] : [{ metric: 'latency_p50' as const, truthOf: () => latencyUs }]),
    ...(cpuUs === 0
      ? []
      : [
          {
            metric: 'cpu_at_load' as const,
            truthOf: ({ scenario }: RunDocument) => cpuUs * scenario.steps.length,
          },
        ]),
    ...(bodyBytes === 0
      ? []
      : [
          {
            metric: 'wire_bytes_per_transaction' as const,
            truthOf: (document: RunDocument) => addedBytes(document, bodyBytes),
          },
        ]),
  ];
}

/** The bodies, and the digits by which their Content-Length grows. */
function addedBytes({ preflight }: RunDocument, bodyBytes: number): number {
  const lengths = preflight?.sides.baseline.responses.map((response) => response.bodyBytes) ?? [];
  const digits = (length: number) => `${length}`.length;
  return lengths.reduce((sum, length) => sum + bodyBytes + digits(length + bodyBytes) - digits(length), 0);
}

/** Sums are divided and averaged, so an exact interval may miss the truth by its last binary digits. */
const rounding = 1e-9;

function check(document: RunDocument, metric: MetricId, truth: number): Check | null {
  const { delta: estimate = null, outcome } = document.metrics.find(({ id }) => id === metric) ?? {};
  if (estimate === null) return null;
  const slack = Math.abs(truth) * rounding;
  return {
    metric,
    truth,
    estimate,
    covered: estimate.lo - slack <= truth && truth <= estimate.hi + slack,
    found: outcome === 'overhead' && estimate.center * truth > 0,
  };
}

/** A row an effect, as each should show in one metric. */
export function tallyEffects(effects: readonly Effect[], attempts: readonly InjectAttempt[]): InjectRow[] {
  return effects.flatMap((effect) => {
    const own = attempts.filter(({ planned }) => planned.effect.name === effect.name);
    const count = (outcome: InjectAttempt['outcome']) =>
      own.filter((attempt) => attempt.outcome === outcome).length;
    const runs = own.flatMap((attempt) => (attempt.outcome === 'counted' ? [attempt.observed] : []));
    return expectedOf(effect).map(({ metric }, place) => ({
      ...({ bench: 'inject', effect: effect.name, metric } as const),
      ...tallyOf(runs.flatMap((checks) => checks[place] ?? [])),
      ...{ refused: count('refused'), failed: count('failed') },
    }));
  });
}

function tallyOf(
  checks: readonly Check[],
): Omit<InjectRow, 'bench' | 'effect' | 'metric' | 'refused' | 'failed'> {
  const runs = checks.length;
  const count = (isSo: (each: Check) => boolean) => checks.filter(isSo).length;
  const covered = count((each) => each.covered);
  const found = count((each) => each.found);
  const truth = checks[0]?.truth ?? null;
  const rightSign = count(({ estimate, truth }) => estimate.center * truth > 0);
  return {
    ...{ truth, runs, covered, coveredShare: binomialInterval(covered, runs) },
    ...{ found, foundShare: binomialInterval(found, runs) },
    ...{ rightSign, rightSignShare: binomialInterval(rightSign, runs) },
    bias: meanInterval(checks.map(({ estimate, truth }) => estimate.center - truth)),
    medianHalfWidth: runs === 0 ? null : median(checks.map(({ estimate: { lo, hi } }) => (hi - lo) / 2)),
  };
}

export function printEffects(rows: readonly InjectRow[]): string {
  return printTable(
    [
      ...['effect', 'metric', 'truth', 'interval holds it (at least 90 %)', 'called overhead', 'right sign'],
      ...['bias', 'median half-width', 'lost'],
    ],
    rows.map((row) => {
      const { unit } = metricOf(row.metric);
      const print = (value: number) =>
        printDifference(value, scaleFor(unit, [], row.medianHalfWidth ? [row.medianHalfWidth] : []));
      return [
        ...[row.effect, metricOf(row.metric).title],
        row.truth === null ? '' : print(row.truth),
        printCount(row.covered, row.runs, row.coveredShare),
        printCount(row.found, row.runs, row.foundShare),
        printCount(row.rightSign, row.runs, row.rightSignShare),
        row.bias === null ? '' : `${print(row.bias.center)} (${print(row.bias.lo)} to ${print(row.bias.hi)})`,
        row.medianHalfWidth === null ? '' : print(row.medianHalfWidth).replace('+', '±'),
        `${row.refused} refused, ${row.failed} failed`,
      ];
    }),
  );
}
