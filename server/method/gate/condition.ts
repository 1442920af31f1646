import { problem } from '../../../shared/base/problem.ts';
import { type MetricId, metricIds, metricOf } from '../../../shared/kinds/comparison/metric.ts';

/** What fails a build, as it is written after `--fail-if`: `cpu_at_load > 20%`, `latency_p50 > 2 ms`. */
export type Condition<Metric extends string = MetricId> = {
  metric: Metric;
  operator: '>' | '<';
  /** `change`: a share of the baseline, 0.2 for 20 %. `difference`: comparison less baseline, in the metric's unit. */
  of: 'change' | 'difference';
  limit: number;
  /** As it was written. */
  text: string;
};

const form = /^\s*([a-z0-9_]+)\s*(>|<)\s*([+−-]?\d+(?:\.\d+)?)\s*(?:([%a-zµ/]+)\s*)?$/iu;

/** Of each unit of the registry, how people write it. */
const factors: Record<string, { unit: string; factor: number }> = {
  µs: { unit: 'us', factor: 1 },
  us: { unit: 'us', factor: 1 },
  ms: { unit: 'us', factor: 1000 },
  s: { unit: 'us', factor: 1_000_000 },
  B: { unit: 'bytes', factor: 1 },
  kB: { unit: 'bytes', factor: 1000 },
  MB: { unit: 'bytes', factor: 1_000_000 },
  '': { unit: 'instructions', factor: 1 },
};

/** What conditions can be about. */
type Table<Metric extends string> = {
  metrics: readonly Metric[];
  of(metric: Metric): { scale: string; unit: string };
  howTo: string;
};

/** Throws invalid_arguments. */
export function parseCondition(text: string): Condition {
  return parseOf(text, { metrics: metricIds, of: metricOf, howTo });
}

/** Of instructions, which are counted without a unit: `instructions_per_transaction > 2%`. Throws invalid_arguments. */
export function parseInstructionCondition(text: string): Condition<InstructionMetric> {
  return parseOf(text, {
    metrics: ['instructions_per_transaction'],
    of: () => ({ scale: 'ratio', unit: 'instructions' }),
    howTo: 'Write it as “instructions_per_transaction > 2%” or “instructions_per_transaction > 1000”.',
  });
}

export type InstructionMetric = 'instructions_per_transaction';

function parseOf<Metric extends string>(
  text: string,
  { metrics, of, howTo }: Table<Metric>,
): Condition<Metric> {
  const [, name = '', operator = '', number = '', unit = ''] = form.exec(text) ?? refuse(text, howTo);
  const metric = metrics.find((id) => id === name);
  if (metric === undefined) {
    return refuse(text, `“${name}” is not a metric. Metrics are ${metrics.join(', ')}.`);
  }
  const value = Number(number.replace('−', '-'));
  const common = { metric, operator: operator as Condition['operator'], text: text.trim() };
  if (unit === '%') {
    if (of(metric).scale === 'ratio') return { ...common, of: 'change', limit: value / 100 };
    return refuse(
      text,
      `${metric} can be zero, so it has no change in percent. Give a difference in its unit.`,
    );
  }
  const known = factors[unit];
  if (known?.unit !== of(metric).unit)
    return refuse(text, unit === '' ? howTo : `${metric} has no unit ${unit}.`);
  return { ...common, of: 'difference', limit: value * known.factor };
}

const howTo =
  'Write a metric, > or <, and a number with % or a unit, such as “cpu_at_load > 20%” or “latency_p50 > 2 ms”.';

function refuse(text: string, why: string): never {
  throw problem('invalid_arguments', `--fail-if: “${text.slice(0, 200)}” cannot be read. ${why}`);
}
