import { type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricFamily, MetricValue } from '../metrics/metrics.ts';

type Histogram = Extract<
  MetricData,
  { dataPointType: DataPointType.HISTOGRAM }
>['dataPoints'][number]['value'];

type Span = { startTime: HrTime; endTime: HrTime };

/** The numbers of `/metrics` as OpenTelemetry has them, under the same names: counts since the start of the process. */
export function metricData(families: readonly MetricFamily[], span: Span): MetricData[] {
  return families.flatMap((family) => {
    const { name, help: description, type } = family;
    const base = {
      descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    if (type === 'histogram') {
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(family, span) };
    }
    // Not a number is what was never observed, and JSON cannot say it.
    const values = family.values.filter(({ value }) => Number.isFinite(value));
    const dataPoints = values.map(({ labels: attributes, value }) => ({ ...span, attributes, value }));
    return type === 'counter'
      ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
      : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
  });
}

/** Its buckets count from the smallest on, and end with all; those of OpenTelemetry count what is in each. */
function histograms({ name, values }: MetricFamily, span: Span): DataPoint<Histogram>[] {
  const groups = Map.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  return [...groups.values()].map((group) => {
    const { le: _, ...attributes } = group[0]?.labels ?? {};
    const buckets = group.filter(({ metricName }) => metricName === `${name}_bucket`);
    const upTo = buckets.map(({ value }) => value);
    return {
      ...span,
      attributes,
      value: {
        buckets: {
          boundaries: buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite),
          counts: upTo.map((count, index) => count - (upTo[index - 1] ?? 0)),
        },
        ...{ sum: valueIn(group, `${name}_sum`), count: valueIn(group, `${name}_count`) },
      },
    };
  });
}

function valueIn(group: readonly MetricValue[], name: string): number {
  return group.find(({ metricName }) => metricName === name)?.value ?? 0;
}

function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's';
  return /_bytes$/.test(name) ? 'By' : '';
}
