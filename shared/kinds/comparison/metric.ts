import type { Unit } from '../../base/units.ts';
import type { OperatingPoint } from './load-profile.ts';

/** The registry of what a run measures. Ids are fixed: permalinks, CSV columns and the API use them. */

export const metricIds = [
  'throughput',
  'transactions_per_10_min',
  'latency_p50',
  'latency_p90',
  'latency_p99',
  'ttfb_p50',
  'execution_time',
  'cpu_at_load',
  'cpu_half_load',
  'cpu_lone',
  'cpu_utilization',
  'memory_growth',
  'memory_peak',
  'disk_bytes_per_s',
  'network_bytes_per_s',
  'wire_bytes_per_transaction',
] as const;
export type MetricId = (typeof metricIds)[number];

export const metricGroups = [
  'throughput',
  'latency',
  'execution time',
  'CPU',
  'memory',
  'disk',
  'network',
] as const;
type MetricGroup = (typeof metricGroups)[number];

export type Metric = {
  id: MetricId;
  title: string;
  group: MetricGroup;
  unit: Unit;
  /** Which direction is better for the user. */
  better: 'higher' | 'lower';
  /** Blocks it is read from: of the first of these that the run has. */
  points: readonly OperatingPoint[];
  /** How the blocks of a launch become its value. */
  aggregate: 'mean' | 'sum';
  /** `ratio`: arms are compared by the logarithm of their quotient. `difference`: by subtraction, as values may be zero or negative. */
  scale: 'ratio' | 'difference';
  /** One of `primaryMetrics`; the others are exploratory. */
  primary: boolean;
  /** The primary metric that it says in another unit, whose test decides its word as well. */
  restates?: MetricId;
  definition: string;
};

/** Facts that most metrics have in common. */
const usual = {
  better: 'lower',
  aggregate: 'mean',
  scale: 'ratio',
  primary: false,
} as const satisfies Partial<Metric>;

type Registered = Omit<Metric, 'id' | keyof typeof usual> & Partial<Pick<Metric, keyof typeof usual>>;

const registry: Record<MetricId, Registered> = {
  throughput: {
    title: 'Throughput',
    group: 'throughput',
    unit: 'transactions/s',
    better: 'higher',
    points: ['maximum'],
    primary: true,
    definition:
      'Successful transactions per second, with every virtual user starting its next transaction as soon as the last one ends.',
  },
  transactions_per_10_min: {
    title: 'Transactions in 10 minutes',
    group: 'throughput',
    unit: 'transactions',
    better: 'higher',
    points: ['maximum'],
    restates: 'throughput',
    definition: 'Throughput times 600 seconds, the usual time span of load tests.',
  },
  latency_p50: {
    title: 'Latency, median',
    group: 'latency',
    unit: 'us',
    points: ['lockstep'],
    primary: true,
    definition:
      'Time from the first byte sent to the last byte received, with one user who alternates between the sides; half of the transactions took longer.',
  },
  latency_p90: {
    title: 'Latency, 90th percentile',
    group: 'latency',
    unit: 'us',
    points: ['steady', 'lockstep'],
    definition:
      'One transaction in ten took longer, at the same request rate on both sides or, if that was not measured, with one user at a time.',
  },
  latency_p99: {
    title: 'Latency, 99th percentile',
    group: 'latency',
    unit: 'us',
    points: ['steady', 'lockstep'],
    definition:
      'One transaction in a hundred took longer, at the same request rate on both sides or, if that was not measured, with one user at a time.',
  },
  ttfb_p50: {
    title: 'Time to first byte, median',
    group: 'latency',
    unit: 'us',
    points: ['lockstep'],
    definition:
      'Time from sending a request to the first byte of its response, over all steps, without connecting.',
  },
  execution_time: {
    title: 'Execution time in the application',
    group: 'execution time',
    unit: 'us',
    points: ['lockstep'],
    definition:
      'Time that the application reports for a transaction in the Server-Timing header (app;dur), summed over its steps.',
  },
  cpu_at_load: {
    title: 'Server CPU per transaction at full load',
    group: 'CPU',
    unit: 'us',
    points: ['maximum'],
    primary: true,
    definition:
      "CPU time of the target's process tree divided by its transactions, with every virtual user starting its next transaction as soon as the last one ends.",
  },
  cpu_half_load: {
    title: 'Server CPU per transaction at half load',
    group: 'CPU',
    unit: 'us',
    points: ['steady'],
    definition:
      "CPU time of the target's process tree divided by its transactions, at the same arrival rate on both sides: half of what the slower one can handle.",
  },
  cpu_lone: {
    title: 'Server CPU per transaction with one user',
    group: 'CPU',
    unit: 'us',
    points: ['lockstep'],
    definition:
      "CPU time of the target's process tree divided by its transactions, with one user at a time. An idle core has to wake up for each of them, so this figure says more about the machine than about the server.",
  },
  cpu_utilization: {
    title: 'Server CPU utilization',
    group: 'CPU',
    unit: 'percent',
    points: ['steady'],
    definition:
      "CPU time of the target's process tree as a share of one core, at the same arrival rate on both sides.",
  },
  memory_growth: {
    title: 'Memory growth',
    group: 'memory',
    unit: 'bytes',
    points: ['lockstep', 'maximum', 'steady'],
    aggregate: 'sum',
    scale: 'difference',
    definition: 'Growth of the target’s proportional set size while it was measured, per start.',
  },
  memory_peak: {
    title: 'Memory, peak',
    group: 'memory',
    unit: 'bytes',
    points: ['lockstep', 'maximum', 'steady'],
    definition: 'Largest resident set of the target while it was measured, per start.',
  },
  disk_bytes_per_s: {
    title: 'Disk traffic',
    group: 'disk',
    unit: 'bytes/s',
    points: ['steady'],
    scale: 'difference',
    definition: 'Bytes per second that the target caused to be read from and written to storage.',
  },
  network_bytes_per_s: {
    title: 'Network traffic',
    group: 'network',
    unit: 'bytes/s',
    points: ['steady'],
    definition:
      'Bytes per second on the sockets in both directions, including handshakes and records, at the same arrival rate.',
  },
  wire_bytes_per_transaction: {
    title: 'Bytes on the wire per transaction',
    group: 'network',
    unit: 'bytes',
    points: ['lockstep'],
    definition:
      'Bytes on the sockets in both directions, including handshakes and records, divided by transactions.',
  },
};

export const metrics: readonly Metric[] = metricIds.map(metricOf);

export function metricOf(id: MetricId): Metric {
  return { id, ...usual, ...registry[id] };
}

/** Order of metrics: CPU leads, because it is what TLS costs. */
export function cpuFirst(one: Pick<Metric, 'id'>, other: Pick<Metric, 'id'>): number {
  const weightOf = ({ id }: Pick<Metric, 'id'>) => Number(metricOf(id).group === 'CPU');
  return weightOf(other) - weightOf(one);
}

/** Key of its figures in one run; `scope` names other figures, such as those of one start. */
export function quantityOf(id: MetricId, scope = 'run'): string {
  return `comparison/${scope}/${id}`;
}

/** Tested one after the other, in this order; the first that was measured is the headline. */
export const primaryMetrics = ['cpu_at_load', 'throughput', 'latency_p50'] as const satisfies MetricId[];
export type PrimaryMetricId = (typeof primaryMetrics)[number];
