import { metricOf } from '../../shared/metric.ts';
import { median } from '../statistics/quantile.ts';
import { type HalfWidths, type PrecisionMetric, precisionMetrics } from './half-widths.ts';
import { printTable } from './print-table.ts';

/** What each minute of measuring gave, by each method. */
export type Minutes = Record<'own' | 'paired' | 'unpaired', HalfWidths[]>;

export type PrecisionRow = {
  bench: 'precision';
  metric: PrecisionMetric;
  method: keyof Minutes;
  seconds: number;
  /** Measured, and of those the ones with an interval. */
  minutes: number;
  intervals: number;
  /** Median over the intervals: 0.03 is ±3 %. */
  halfWidth: number | null;
  /** 2 is twice as wide as ours. */
  timesOurs: number | null;
};

const methods = ['own', 'paired', 'unpaired'] as const;

export function tallyPrecision(minutes: Minutes, seconds: number): PrecisionRow[] {
  return precisionMetrics.flatMap((metric) => {
    const widthsOf = (method: keyof Minutes) => minutes[method].flatMap((widths) => widths[metric] ?? []);
    const ours = medianOrNull(widthsOf('own'));
    return methods.map((method) => {
      const widths = widthsOf(method);
      const halfWidth = medianOrNull(widths);
      return {
        bench: 'precision',
        metric,
        method,
        seconds,
        minutes: minutes[method].length,
        intervals: widths.length,
        halfWidth,
        timesOurs: halfWidth === null || ours === null ? null : halfWidth / ours,
      } as const;
    });
  });
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
    ['metric', 'method', 'measuring', 'intervals', 'half-width of 95 %', '÷ tls-toll'],
    rows.map(({ metric, method, seconds, minutes, intervals, halfWidth, timesOurs }) => [
      metricOf(metric).title,
      methodNames[method],
      `${seconds} s`,
      `${intervals} of ${minutes}`,
      halfWidth === null ? 'none' : `±${(halfWidth * 100).toFixed(2)} %`,
      timesOurs === null ? '' : timesOurs.toFixed(2),
    ]),
  );
}
