/** Protects the metrics of a slot, worked out from what was counted in it. */
import { expect, test } from 'vitest';
import { metricIds, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import { loadInTest, percentilesInTest, resourcesInTest } from '../../../testing/block-in-test.ts';
import { valuesOfSlot } from './slot-values.ts';

test('a steady slot gives latencies, cost and traffic, but no throughput', () => {
  const load = loadInTest({
    elapsedUs: 250_000,
    succeeded: 100,
    wireBytesRead: 900_000,
    wireBytesWritten: 100_000,
  });
  const target = resourcesInTest({
    // Twice the time under load: reading at the edges was slow.
    wallUs: 500_000,
    cpuUs: 50_000,
    diskReadBytes: 5000,
    diskWriteBytes: 20_000,
  });
  expect(valuesOfSlot('steady', load, target, 4096)).toEqual({
    latency_p50: 1000,
    latency_p90: 2000,
    latency_p99: 3000,
    ttfb_p50: 400,
    execution_time: 600,
    cpu_half_load: 500,
    cpu_utilization: 20,
    disk_bytes_per_s: 100_000,
    network_bytes_per_s: 4_000_000,
    wire_bytes_per_transaction: 10_000,
    memory_peak: 90_000_000,
    memory_growth: 4096,
  });
});

test('a slot at the maximum gives throughput over its window, what a transaction costs there, and no latency', () => {
  const load = loadInTest({ succeeded: 90, succeededInWindow: 80, windowUs: 200_000 });
  const target = resourcesInTest({ cpuUs: 36_000 });
  expect(valuesOfSlot('maximum', load, target, -2048)).toEqual({
    throughput: 400,
    transactions_per_10_min: 240_000,
    cpu_at_load: 400,
    memory_peak: 90_000_000,
    memory_growth: -2048,
  });
});

test('a slot that kept to a rate has that as its throughput, so it has none of the server’s', () => {
  const load = loadInTest({ succeeded: 90 });
  const values = valuesOfSlot('maximum', load, resourcesInTest({ cpuUs: 36_000 }), null, true);
  expect(values).toEqual({ cpu_at_load: 400, memory_peak: 90_000_000 });
});

test('a lockstep slot gives what a transaction costs, and nothing a second', () => {
  const values = valuesOfSlot('lockstep', loadInTest(), resourcesInTest(), 0);
  expect(values).toMatchObject({ latency_p50: 1000, cpu_lone: 500 });
  const perSecond = ['throughput', 'cpu_utilization', 'network_bytes_per_s', 'disk_bytes_per_s'];
  expect(Object.keys(values).filter((id) => perSecond.includes(id))).toEqual([]);
});

test('each operating point gives every metric that is read from it', () => {
  for (const point of ['lockstep', 'maximum', 'steady'] as const) {
    const values = valuesOfSlot(point, loadInTest(), resourcesInTest(), 0);
    const read = metricIds.filter((id) => metricOf(id).points.includes(point));
    expect(Object.keys(values), point).toEqual(expect.arrayContaining(read));
  }
});

test('what is not known is left out, never zero', () => {
  const silent = valuesOfSlot('steady', loadInTest({ executionTimeUs: null }), null, null);
  expect(Object.keys(silent)).toEqual([
    'latency_p50',
    'latency_p90',
    'latency_p99',
    'ttfb_p50',
    'wire_bytes_per_transaction',
    'network_bytes_per_s',
  ]);
  const hidden = valuesOfSlot('steady', loadInTest(), resourcesInTest({ diskReadBytes: null }), 0);
  expect(hidden).not.toHaveProperty('disk_bytes_per_s');
  expect(hidden.cpu_half_load).toBe(500);
});

test('a slot without a success divides by nothing', () => {
  const failed = loadInTest({ succeeded: 0, succeededInWindow: 0, latencyUs: percentilesInTest(0, 0) });
  expect(valuesOfSlot('steady', failed, null, null)).toEqual({});
  expect(valuesOfSlot('maximum', failed, null, null)).toEqual({ throughput: 0, transactions_per_10_min: 0 });
});

test('a slot whose transactions all began before the window has traffic and cost, but no latency', () => {
  const values = valuesOfSlot('steady', loadInTest({ latencyUs: percentilesInTest(0, 0) }), null, null);
  expect(values).not.toHaveProperty('latency_p50');
  expect(values.wire_bytes_per_transaction).toBe(10_000);
});
