import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { meanOf } from '../method/statistics/mean.ts';
import { median } from '../method/statistics/quantile.ts';
import { binomialInterval } from './binomial-interval.ts';
import { type PrecisionMetric, precisionMetrics } from './peer-pairs.ts';
import { printCount, printHalfWidth, printShift, printTable } from './print-table.ts';
import { spreadOf, spreadRatio } from './spread.ts';
import { type EpochValue, splitVariance, type VarianceSplit } from './variance-split.ts';

export const machines = ['quiet', 'two busy loops'] as const;
export type Machine = (typeof machines)[number];
const methods = ['tls-toll', 'wrk', 'k6'] as const;
export type Method = (typeof methods)[number];

/** One repetition by one method: the ratios as it printed them. */
export type Repetition = {
  machine: Machine;
  method: Method;
  seconds: number;
  ratios: Record<PrecisionMetric, Estimate | null>;
};

type PrecisionRow = {
  bench: 'precision';
  machine: Machine;
  metric: PrecisionMetric;
  method: Method;
  repetitions: number;
  medianSeconds: number | null;
  /** Geometric mean of the estimates. */
  grandMean: number | null;
  /** Standard deviation of the estimates' logarithms about their mean: 0.01 is 1 %. */
  spread: number | null;
  /** Times as wide as ours. */
  timesOurs: Estimate | null;
  medianHalfWidth: number | null;
  /** Printed intervals that hold the grand mean. */
  holding: number;
  intervals: number;
  holdingShare: Estimate | null;
};

type VarianceRow = { bench: 'precision'; machine: Machine; metric: PrecisionMetric } & VarianceSplit;

export function tallyPrecision(repetitions: readonly Repetition[]): PrecisionRow[] {
  const logsOf = (machine: Machine, method: Method, metric: PrecisionMetric) =>
    repetitions.flatMap((each) => {
      const ratio = each.machine === machine && each.method === method ? each.ratios[metric] : null;
      return ratio === null ? [] : [Math.log(ratio.center)];
    });
  return machines.flatMap((machine) =>
    precisionMetrics.flatMap((metric) =>
      methods.flatMap((method): PrecisionRow[] => {
        const own = repetitions.filter((each) => each.machine === machine && each.method === method);
        if (own.length === 0) return [];
        const ratios = own.flatMap((each) => each.ratios[metric] ?? []);
        const logs = logsOf(machine, method, metric);
        const grandMean = logs.length === 0 ? null : Math.exp(meanOf(logs));
        const holding = ratios.filter(
          ({ lo, hi }) => grandMean !== null && lo <= grandMean && grandMean <= hi,
        ).length;
        return [
          {
            ...({ bench: 'precision', machine, metric, method, repetitions: own.length } as const),
            ...{ medianSeconds: medianOrNull(own.map(({ seconds }) => seconds)), grandMean },
            spread: spreadOf(logs),
            timesOurs: method === 'tls-toll' ? null : spreadRatio(logs, logsOf(machine, 'tls-toll', metric)),
            medianHalfWidth: medianOrNull(ratios.map(({ lo, hi }) => (hi - lo) / 2)),
            ...{ holding, intervals: ratios.length },
            holdingShare: binomialInterval(holding, ratios.length),
          },
        ];
      }),
    ),
  );
}

/** Epochs of runs on the same machine, numbered as they came. */
export function tallyVariance(runs: readonly { machine: Machine; document: RunDocument }[]): VarianceRow[] {
  return machines.flatMap((machine) => {
    const documents = runs.filter((each) => each.machine === machine).map(({ document }) => document);
    if (documents.length === 0) return [];
    return precisionMetrics.map((metric) => ({
      ...({ bench: 'precision', machine, metric } as const),
      ...splitVariance(documents.flatMap((document, run) => epochsOf(document, run, metric))),
    }));
  });
}

function epochsOf({ blocks }: RunDocument, run: number, metric: PrecisionMetric): EpochValue[] {
  return blocks.flatMap(({ launch, ratios, reasons }) => {
    const ratio = ratios[metric];
    if (ratio === undefined || reasons.some(({ spoils }) => spoils === 'all')) return [];
    return [{ run, launch, value: Math.log(ratio.value), error: ratio.logError }];
  });
}

function medianOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}

const methodNames: Record<Method, string> = {
  'tls-toll': 'TLS Toll, quick',
  wrk: 'wrk, A then B, paired t',
  k6: 'k6, A then B, paired t',
};

export function printPrecision(rows: readonly PrecisionRow[], splits: readonly VarianceRow[]): string {
  const table = printTable(
    [
      ...['machine', 'metric', 'method', 'repetitions', 'mean', 'spread (sd)', '÷ TLS Toll'],
      ...['median half-width', 'interval holds the mean (90 to 99 %)'],
    ],
    rows.map((row) => [
      ...[row.machine, metricOf(row.metric).title, methodNames[row.method]],
      `${row.repetitions} of ${row.medianSeconds?.toFixed(0) ?? '?'} s`,
      printShift(row.grandMean),
      printSpread(row.spread),
      row.timesOurs === null
        ? ''
        : `${row.timesOurs.center.toFixed(1)} (${row.timesOurs.lo.toFixed(1)} to ${row.timesOurs.hi.toFixed(1)})`,
      printHalfWidth(row.medianHalfWidth),
      printCount(row.holding, row.intervals, row.holdingShare),
    ]),
  );
  const splitTable = printTable(
    ['machine', 'metric', 'between runs', 'launches', 'epochs', 'within an epoch'],
    splits.map((row) => [
      ...[row.machine, metricOf(row.metric).title],
      ...[row.runs, row.launches, row.epochs, row.rest].map(printSpread),
    ]),
  );
  return `${table}\n${splitTable}`;
}

function printSpread(spread: number | null): string {
  return spread === null ? '–' : `${(spread * 100).toFixed(2)} %`;
}
