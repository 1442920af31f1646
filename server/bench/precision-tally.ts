import { metricOf } from '../../shared/metric.ts';
import { median } from '../statistics/quantile.ts';
import { type HalfWidths, type PrecisionMetric, precisionMetrics } from './half-widths.ts';
import { printTable } from './print-table.ts';

/** The same minute by each method; null where one failed or is missing. */
export type PrecisionRound = Record<'own' | 'paired' | 'unpaired', HalfWidths | null>;

export type PrecisionRow = {
  bench: 'precision';
  metric: PrecisionMetric;
  method: keyof PrecisionRound;
  seconds: number;
  /** Those with an interval. */
  rounds: number;
  /** Median over the rounds: 0.03 is ±3 %. */
  halfWidth: number | null;
  /** Median over the rounds that have both: 2 is twice as wide as ours. Null for our own. */
  timesOurs: number | null;
};

const methods = ['own', 'paired', 'unpaired'] as const;

export function tallyPrecision(rounds: readonly PrecisionRound[], seconds: number): PrecisionRow[] {
  return precisionMetrics.flatMap((metric) =>
    methods.map((method) => {
      const widths = rounds.flatMap((round) => round[method]?.[metric] ?? []);
      const times = rounds.flatMap((round) => {
        const [theirs, ours] = [round[method]?.[metric], round.own?.[metric]];
        return theirs == null || ours == null ? [] : [theirs / ours];
      });
      return {
        bench: 'precision',
        metric,
        method,
        seconds,
        rounds: widths.length,
        halfWidth: medianOrNull(widths),
        timesOurs: method === 'own' ? null : medianOrNull(times),
      } as const;
    }),
  );
}

function medianOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}

const methodNames: Record<PrecisionRow['method'], string> = {
  own: 'tls-toll, blocks of slots',
  paired: 'wrk, A then B, paired t',
  unpaired: 'wrk, A then B, unpaired (Welch)',
};

export function printPrecision(rows: readonly PrecisionRow[]): string {
  return printTable(
    ['metric', 'method', 'measuring', 'rounds', 'half-width of 95 %', '÷ tls-toll'],
    rows.map(({ metric, method, seconds, rounds, halfWidth, timesOurs }) => [
      metricOf(metric).title,
      methodNames[method],
      `${seconds} s`,
      `${rounds}`,
      halfWidth === null ? 'none' : `±${(halfWidth * 100).toFixed(2)} %`,
      timesOurs === null ? '' : timesOurs.toFixed(2),
    ]),
  );
}
