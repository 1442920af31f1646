import { printNumber } from '../shared/base/quantity.ts';
import type { WindowArm } from '../shared/kinds/comparison/block.ts';
import type { MetricId } from '../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../shared/kinds/comparison/run.ts';

type Row = Record<string, string>;

/**
 * The number of one side of the delta table from the rows of the CSV alone: the geometric mean over the launches, each of
 * its blocks. The baseline is the mean of both of its arms. Null when no row holds the metric.
 */
export function recompute(column: string, rows: readonly Row[], arms: readonly string[]): number | null {
  const holding = rows.filter((row) => arms.includes(row.arm ?? '') && row[column] !== '');
  if (holding.length === 0) return null;
  const launches = Map.groupBy(holding, ({ launch }) => launch);
  const logs = [...launches.values()].map((launch) =>
    meanOf(
      [...Map.groupBy(launch, ({ block }) => block).values()].map((block) => meanOf(logsOf(block, column))),
    ),
  );
  return Math.exp(meanOf(logs));
}

/**
 * The baseline of a metric that has samples, from those of the document that were not set aside: their geometric mean, each of both
 * baseline arms together.
 */
export function meanOfSamples(id: MetricId, { blocks }: Pick<RunDocument, 'blocks'>): number {
  const windows = blocks.flatMap(({ kind, windows: of }) =>
    kind === (id === 'latency_p50' ? 'lockstep' : 'maximum') ? of.filter(({ aside }) => !aside) : [],
  );
  return Math.exp(meanOf(windows.map(({ arms: { baseline, twin } }) => logOfSample(id, baseline, twin))));
}

function logOfSample(id: MetricId, one: WindowArm, other: WindowArm): number {
  if (id === 'cpu_at_load')
    return Math.log((Number(one.cpuUs) + Number(other.cpuUs)) / (one.transactions + other.transactions));
  if (id === 'throughput') return Math.log((Number(one.perS) + Number(other.perS)) / 2);
  return (Math.log(Number(one.medianUs)) + Math.log(Number(other.medianUs))) / 2;
}

function logsOf(rows: readonly Row[], column: string): number[] {
  return rows.map((row) => Math.log(Number(row[column])));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Prints a value as another one is shown: `1,234.5 kB` says its unit and its digits. */
export function printLike(shown: string, value: number | null): string {
  if (value === null) return '–';
  const [, fraction = '', space = ' ', symbol = ''] = /^−?[\d,]+(?:\.(\d+))?( ?)(.+)$/.exec(shown) ?? [];
  const divisor = divisors[symbol];
  if (divisor === undefined) return `${value}, in a unit unlike "${shown}"`;
  return `${printNumber(value / divisor, fraction.length)}${space}${symbol}`;
}

const divisors: Record<string, number> = {
  'transactions/s': 1,
  '/s': 1,
  transactions: 1,
  '%': 1,
  µs: 1,
  ms: 1e3,
  s: 1e6,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  'B/s': 1,
  'kB/s': 1e3,
  'MB/s': 1e6,
  'GB/s': 1e9,
};
