import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import { metricOf } from '../../shared/kinds/comparison/metric.ts';
import { repeatMetrics } from './measure-wrk-pair.ts';
import { printTable } from './print-table.ts';
import type { RepeatRow } from './repeat-tally.ts';
import { type Repetition, repeatMachines, repeatTargets } from './repetition.ts';

/** Every figure beside its bound, and before them what each run and each pair of wrk said. */
export function printRepeat(rows: readonly RepeatRow[], repetitions: readonly Repetition[]): string {
  const table = printTable(
    ['machine', 'target', 'figure', 'value', '95 %, or range of times', 'bound', ''],
    rows.map((row) => [
      ...[row.machine, row.target, row.figure],
      printValue(row),
      row.interval === null ? '' : row.interval.map((bound) => printNumber(bound, row)).join(' to '),
      printBound(row),
      row.held === null ? '' : row.held ? 'held' : 'missed',
    ]),
  );
  return `${printEstimates(repetitions)}\n${table}`;
}

function printValue(row: RepeatRow): string {
  if (row.value === null) return 'not measured';
  const value = printNumber(row.value, row);
  if (row.unit === 'runs') return `${value} of ${row.runs}`;
  return `${value}${row.unit === '×' ? '' : ' '}${row.unit}`;
}

function printBound(row: RepeatRow): string {
  const { atLeast, atMost } = row;
  if (atLeast !== null && atMost !== null)
    return `${printNumber(atLeast, row)} to ${printNumber(atMost, row)}`;
  if (atLeast !== null) return `≥ ${printNumber(atLeast, row)}`;
  return atMost === null ? '' : `≤ ${printNumber(atMost, row)}`;
}

function printNumber(value: number, { unit }: RepeatRow): string {
  const digits = unit === '%' || unit === '×' ? 2 : Number.isInteger(value) ? 0 : 1;
  return value.toFixed(digits).replace('-', '−');
}

function printEstimates(repetitions: readonly Repetition[]): string {
  const lines = repeatMachines.flatMap((machine) =>
    repeatTargets.flatMap((target) => {
      const own = repetitions.filter((each) => each.machine === machine && each.target === target);
      if (own.length === 0) return [];
      return repeatMetrics.flatMap((metric) => {
        const place = `${machine}, ${target}, ${metricOf(metric).title}`;
        const printed = own.map(({ run }) => printRatio(run.ratios[metric])).join('; ');
        const pairs = own.flatMap(({ pair }) =>
          pair === null ? [] : [printShift(pair.comparison[metric] / pair.baseline[metric])],
        );
        return [
          `${place}: ${printed}`,
          ...(pairs.length === 0 ? [] : [`${place}, by wrk: ${pairs.join('; ')}`]),
        ];
      });
    }),
  );
  return `${lines.join('\n')}\n`;
}

/** `+42.8 % (40.6 to 45.1)`. */
export function printRatio(ratio: Estimate | null): string {
  if (ratio === null) return 'none';
  const [lo, hi] = [ratio.lo, ratio.hi].map((bound) => ((bound - 1) * 100).toFixed(1).replace('-', '−'));
  return `${printShift(ratio.center)} (${lo} to ${hi})`;
}

export function printShift(ratio: number): string {
  const percent = (ratio - 1) * 100;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`;
}
