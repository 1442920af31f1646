/** Protects the result from blocks that went wrong: each reason spoils what it must, and nothing else does. */

import { describe, expect, test } from 'vitest';
import { metricIds, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { LoadResult, Percentiles, ResourceUse, Slot } from '../../../shared/kinds/comparison/slot.ts';
import { loadInTest, percentilesInTest, resourcesInTest } from '../../testing/block-in-test.ts';
import { samplePlan } from '../../testing/sample-plan.ts';
import { judgeBlock, valuesOfSlot } from './drop-reasons.ts';

const plan = { ...samplePlan, openMs: 1000, rampMs: 0 };

function percentiles(p50: number, p90 = p50, p99 = p90, count = 4000): Percentiles {
  return { count, p50, p90, p99, max: p99 };
}

const soundLoad: LoadResult = {
  elapsedUs: 1_005_000,
  windowUs: 900_000,
  started: 400,
  succeeded: 400,
  succeededInWindow: 360,
  due: 400,
  requests: 1200,
  wireBytesRead: 1,
  wireBytesWritten: 1,
  bodyBytes: 1,
  connectionsOpened: 0,
  handshakesFull: 0,
  handshakesResumed: 0,
  renegotiations: 0,
  lifetime: { connectionsOpened: 8, handshakesFull: 8, handshakesResumed: 0, renegotiations: 0 },
  negotiated: null,
  errors: [],
  latencyUs: percentiles(5000, 7000, 9000),
  latencyHistogram: '',
  latencyFromDueUs: percentiles(5100),
  latenessUs: percentiles(100, 300, 900),
  ttfbUs: percentiles(900),
  executionTimeUs: null,
  steps: [],
  phases: null,
  phaseHistograms: null,
  generatorCpuUs: 200_000,
  generatorBusiestUs: 200_000,
};

const soundTarget: ResourceUse = {
  source: 'proc',
  wallUs: 1_006_000,
  cpuUs: 500_000,
  cpuTickUs: 490_000,
  cpuWitnessUs: 501_000,
  rssPeakBytes: 1,
  memoryStartBytes: 1,
  memoryEndBytes: 1,
  diskReadBytes: 0,
  diskWriteBytes: 0,
  processes: 1,
};

type Changes = {
  load?: Partial<LoadResult>;
  target?: Partial<ResourceUse> | null;
  host?: Slot['host'];
  point?: Slot['point'];
};

function slotWith({
  load = {},
  target = {},
  host = { stealRatio: 0.001, foreignRatio: 0.03 },
  point = 'steady',
}: Changes = {}): Slot {
  return {
    arm: 'comparison',
    transport: 'https',
    point,
    startedAtMs: 0,
    load: { ...soundLoad, ...load },
    target: target === null ? null : { ...soundTarget, ...target },
    host,
    curve: [],
    values: {},
  };
}

const labels = { comparison: 'X25519' };

/** A block of three slots, the second of them changed. */
function judge(changes: Changes) {
  const { point = 'steady' } = changes;
  return judgeBlock(point, [slotWith({ point }), slotWith(changes), slotWith({ point })], { plan, labels });
}

test('a sound block has no reason to be dropped', () => {
  expect(judge({})).toEqual([]);
});

test('a slot whose target and machine cannot be read is judged by its load', () => {
  expect(judge({ target: null, host: null })).toEqual([]);
});

describe('a block is dropped for', () => {
  test('a request that failed, with its cause', () => {
    const errors = [
      {
        transport: 'https',
        step: 'Search',
        outcome: 'unexpected_status',
        detail: 'answered 500',
        count: 31,
      } as const,
    ];
    expect(judge({ load: { errors, succeeded: 369 } })).toEqual([
      {
        code: 'errors',
        spoils: 'all',
        message: 'X25519: 31 requests failed, first Search: answered 500.',
      },
    ]);
  });
  test('transactions that did not succeed, even without an error', () => {
    expect(judge({ load: { succeeded: 399 } })[0]?.message).toBe(
      'X25519: 1 of 400 transactions did not succeed.',
    );
  });
  test('few failures only where they would show, in its latency', () => {
    expect(judge({ load: { succeeded: 398 } })[0]?.spoils).toBe('latency');
    expect(judge({ load: { succeeded: 397 } })[0]?.spoils).toBe('all');
  });
  test('less than 95 % of the plan sent', () => {
    expect(judge({ load: { started: 379, succeeded: 379 } })[0]).toEqual({
      code: 'under_sent',
      spoils: 'latency',
      message: 'X25519: only 379 of the 400 planned transactions were sent.',
    });
    expect(judge({ load: { started: 380, succeeded: 380 } })).toEqual([]);
    expect(judge({ load: { started: 379, succeeded: 379, due: null } })).toEqual([]);
  });
  test('sending over 2 ms late', () => {
    expect(judge({ load: { latenessUs: percentiles(100, 300, 2100) } })[0]).toEqual({
      code: 'late',
      spoils: 'latency',
      message: 'X25519: one in a hundred transactions was sent 2.1 ms late or more (2.0 ms is allowed).',
    });
  });
  test('a generator over 80 % of a core', () => {
    expect(judge({ load: { generatorBusiestUs: 850_000 } })[0]).toMatchObject({
      code: 'generator_saturated',
      spoils: 'latency',
    });
  });
  test('a slot over 20 % longer than planned', () => {
    expect(judge({ load: { elapsedUs: 1_206_000 } })[0]).toEqual({
      code: 'overrun',
      spoils: 'latency',
      message: 'X25519: it took 1,206 ms instead of 1,000 ms.',
    });
  });
  test('CPU time that the kernel’s ticks or the target itself contradict', () => {
    expect(judge({ target: { cpuTickUs: 470_000 } })[0]).toEqual({
      code: 'cpu_unverified',
      spoils: 'CPU',
      message: 'X25519: its CPU time is 500 ms, but 470 ms by the kernel’s ticks.',
    });
    expect(judge({ target: { cpuWitnessUs: 530_000 } })[0]?.message).toContain('530 ms by the target itself');
  });
});

describe('a block is kept', () => {
  test('though sending was late by less than a fifth of the median latency', () => {
    expect(
      judge({ load: { latenessUs: percentiles(100, 300, 2900), latencyUs: percentiles(15_000) } }),
    ).toEqual([]);
  });
  test('though one of fewer than a hundred transactions was late', () => {
    expect(judge({ load: { latenessUs: percentiles(100, 300, 5000, 999) } })).toEqual([]);
    expect(judge({ load: { latenessUs: percentiles(100, 2100, 5000, 999) } })[0]?.message).toContain(
      'one in ten',
    );
  });
  test('though the machine was busy or stolen, which sets windows aside', () => {
    expect(judge({ host: { stealRatio: 0.6, foreignRatio: 0.3 } })).toEqual([]);
  });
  test('though the generator is busy or late at the maximum or in lockstep', () => {
    const load = {
      windowUs: 400_000,
      elapsedUs: 510_000,
      generatorBusiestUs: 505_000,
      due: null,
      latenessUs: percentiles(0, 0, 9000),
    };
    expect(judge({ point: 'maximum', load })).toEqual([]);
    expect(judge({ point: 'lockstep', load })).toEqual([]);
  });
  test('though its last answer took its usual time', () => {
    expect(judge({ load: { elapsedUs: 1_900_000, latencyUs: percentiles(800_000) } })).toEqual([]);
  });
  test('though each of three processes is off by two ticks', () => {
    expect(judge({ target: { processes: 3, cpuTickUs: 440_000 } })).toEqual([]);
  });
});

test('each kind of problem is reported once, with the first slot that has it', () => {
  const errors = [
    { transport: 'https', step: null, outcome: 'timed_out', detail: 'no answer', count: 1 } as const,
  ];
  const spoilt = slotWith({ load: { errors }, target: { cpuTickUs: 100_000 }, point: 'lockstep' });
  const reasons = judgeBlock('lockstep', [slotWith({ point: 'lockstep' }), spoilt, spoilt], {
    ...{ plan, labels },
  });
  expect(reasons.map(({ code }) => code)).toEqual(['errors', 'cpu_unverified']);
  expect(reasons[0]?.message).toBe('X25519: 1 request failed, first no answer.');
});

/** Protects the metrics of a slot, worked out from what was counted in it. */

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
