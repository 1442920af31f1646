/** Protects the result from blocks that were disturbed: each reason drops one, and nothing else does. */
import { describe, expect, test } from 'vitest';
import { runRequestSchema } from '../../../../shared/run.ts';
import type { LoadResult, Percentiles, ResourceUse, Slot } from '../../../../shared/slot.ts';
import { planFor } from '../plan/presets.ts';
import { judgeBlock } from './drop-reasons.ts';

const plan = planFor(runRequestSchema.parse({ preset: 'standard' }), 1);
const cores = 4;

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
  lifetime: { connectionsOpened: 8, handshakesFull: 8, handshakesResumed: 0 },
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

/** A block of six slots, the fourth of them changed. */
function judge(changes: Changes) {
  const slots = Array.from({ length: 6 }, (_, index) =>
    slotWith(index === 3 ? changes : { point: changes.point ?? 'steady' }),
  );
  return judgeBlock(slots, plan, cores);
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
      { code: 'errors', message: 'Slot 4 (https): 31 requests failed, first Search: answered 500.' },
    ]);
  });
  test('transactions that did not succeed, even without an error', () => {
    expect(judge({ load: { succeeded: 399 } })[0]?.message).toBe(
      'Slot 4 (https): 1 of 400 transactions did not succeed.',
    );
  });
  test('less than 95 % of the plan sent', () => {
    expect(judge({ load: { started: 379, succeeded: 379 } })[0]).toEqual({
      code: 'under_sent',
      message: 'Slot 4 (https): only 379 of the 400 planned transactions were sent.',
    });
    expect(judge({ load: { started: 380, succeeded: 380 } })).toEqual([]);
    expect(judge({ load: { started: 379, succeeded: 379, due: null } })).toEqual([]);
  });
  test('sending over 2 ms late', () => {
    expect(judge({ load: { latenessUs: percentiles(100, 300, 2100) } })[0]).toEqual({
      code: 'late',
      message:
        'Slot 4 (https): one in a hundred transactions was sent 2.1 ms late or more (2.0 ms is allowed).',
    });
  });
  test('stolen time over 3 % of the machine', () => {
    expect(judge({ host: { stealRatio: 0.031, foreignRatio: 0 } })[0]).toEqual({
      code: 'steal',
      message: 'Slot 4 (https): the hypervisor took 3.1 % of the machine away.',
    });
  });
  test('other programs over 15 % of the machine and over twice their usual share', () => {
    expect(judge({ host: { stealRatio: 0, foreignRatio: 0.16 } })[0]).toEqual({
      code: 'foreign_cpu',
      message: 'Slot 4 (https): other programs used 16 % of the machine, in the other slots 3.0 %.',
    });
  });
  test('a generator over 80 % of a core', () => {
    expect(judge({ load: { generatorBusiestUs: 850_000 } })[0]?.code).toBe('generator_saturated');
  });
  test('a slot over 20 % longer than planned', () => {
    expect(judge({ load: { elapsedUs: 1_206_000 } })[0]).toEqual({
      code: 'overrun',
      message: 'Slot 4 (https): it took 1,206 ms instead of 1,000 ms.',
    });
  });
  test('CPU time that the kernel’s ticks or the target itself contradict', () => {
    expect(judge({ target: { cpuTickUs: 470_000 } })[0]).toEqual({
      code: 'cpu_unverified',
      message: 'Slot 4 (https): its CPU time is 500 ms, but 470 ms by the kernel’s ticks.',
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
  test('though two ticks of a short slot were stolen', () => {
    const load = { elapsedUs: 150_000, windowUs: 50_000, generatorBusiestUs: 1000 };
    expect(judge({ load, host: { stealRatio: 0.033, foreignRatio: 0 } })).toEqual([]);
  });
  test('though other programs are busy, when they are so in every slot', () => {
    const slots = Array.from({ length: 6 }, (_, index) =>
      slotWith({ host: { stealRatio: 0, foreignRatio: index === 3 ? 0.3 : 0.2 } }),
    );
    expect(judgeBlock(slots, plan, cores)).toEqual([]);
  });
  test('though the generator is busy or late at the maximum point', () => {
    const load = {
      windowUs: 400_000,
      elapsedUs: 510_000,
      generatorBusiestUs: 505_000,
      due: null,
      latenessUs: percentiles(0, 0, 9000),
    };
    const slots = Array.from({ length: 6 }, () => slotWith({ point: 'maximum', load }));
    expect(judgeBlock(slots, plan, cores)).toEqual([]);
  });
  test('though its last answer took its usual time', () => {
    expect(judge({ load: { elapsedUs: 1_900_000, latencyUs: percentiles(800_000) } })).toEqual([]);
  });
  test('though each of three processes is off by two ticks', () => {
    expect(judge({ target: { processes: 3, cpuTickUs: 440_000 } })).toEqual([]);
  });
});

test('each kind of trouble is told once, with the first slot that has it', () => {
  const errors = [
    { transport: 'https', step: null, outcome: 'timed_out', detail: 'no answer', count: 1 } as const,
  ];
  const slots = Array.from({ length: 6 }, (_, index) =>
    slotWith(index < 2 ? {} : { load: { errors }, target: { cpuTickUs: 100_000 } }),
  );
  const reasons = judgeBlock(slots, plan, cores);
  expect(reasons.map(({ code }) => code)).toEqual(['errors', 'cpu_unverified']);
  expect(reasons[0]?.message).toBe('Slot 3 (https): 1 request failed, first no answer.');
});
