/** Protects the metrics for OpenTelemetry: each number of /metrics, where its data model has it. */
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { MetricFamily } from '../metrics/metrics.ts';
import { metricData } from './metric-data.ts';

const span = { startTime: [1, 0], endTime: [9, 0] } as {
  startTime: [number, number];
  endTime: [number, number];
};

async function translated(fill: (registers: Registry[]) => void) {
  const register = new Registry();
  fill([register]);
  return metricData((await register.getMetricsAsJSON()) as unknown as MetricFamily[], span);
}

test('gauges and counters keep their names, labels and numbers', async () => {
  const metrics = await translated((registers) => {
    new Gauge({ name: 'in_use_bytes', help: 'In use.', labelNames: ['kind'], registers }).set(
      { kind: 'a' },
      7,
    );
    new Counter({ name: 'spent_seconds_total', help: 'Spent.', registers }).inc(2.5);
  });
  expect(metrics).toMatchObject([
    {
      descriptor: { name: 'in_use_bytes', description: 'In use.', unit: 'By' },
      dataPointType: DataPointType.GAUGE,
      dataPoints: [{ ...span, attributes: { kind: 'a' }, value: 7 }],
    },
    {
      descriptor: { name: 'spent_seconds_total', unit: 's' },
      dataPointType: DataPointType.SUM,
      ...{ isMonotonic: true, aggregationTemporality: AggregationTemporality.CUMULATIVE },
      dataPoints: [{ value: 2.5 }],
    },
  ]);
});

test('a histogram counts what is in each bucket, for each set of labels', async () => {
  const metrics = await translated((registers) => {
    const options = { name: 'took_seconds', help: 'Took.', labelNames: ['status'], buckets: [0.1, 1] };
    const took = new Histogram({ ...options, registers });
    for (const seconds of [0.05, 0.5, 0.75, 3]) took.observe({ status: 200 }, seconds);
    took.observe({ status: 404 }, 0.01);
  });
  expect(metrics).toMatchObject([
    {
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: [
        {
          attributes: { status: 200 },
          value: { buckets: { boundaries: [0.1, 1], counts: [1, 2, 1] }, sum: 4.3, count: 4 },
        },
        { attributes: { status: 404 }, value: { buckets: { counts: [1, 0, 0] }, count: 1 } },
      ],
    },
  ]);
});

test('what is not a number is left out, because a collector refuses everything that comes with it', async () => {
  const metrics = await translated((registers) => {
    new Gauge({ name: 'lag_seconds', help: 'Lag.', registers }).set(Number.NaN);
  });
  expect(metrics).toMatchObject([{ dataPoints: [] }]);
});
