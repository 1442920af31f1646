/** Protects the order and the rates of a run’s slots, by a script and a fake clock. */
import { afterEach, expect, test } from 'vitest';
import type { ErrorGroup } from '../../../../shared/outcome.ts';
import type { RunEvent } from '../../../../shared/progress.ts';
import type { LoadResult } from '../../../../shared/slot.ts';
import { planBlocks } from '../../../statistics/block-order.ts';
import { openScriptedRun, type ScriptedRun, type ScriptedRunOptions } from '../../../testing/scripted-run.ts';
import { analyse } from '../analyse/analyse.ts';
import { measure } from './measure.ts';
import { armOfLetter } from './measure-block.ts';

const capacity = { baseline: 1000, comparison: 1000 };
const never = new AbortController().signal;
const slotsOfABlock = 6;

const open: ScriptedRun[] = [];
afterEach(() => {
  for (const scripted of open.splice(0)) scripted.close();
});

function start(options?: ScriptedRunOptions): ScriptedRun {
  const scripted = openScriptedRun(options);
  open.push(scripted);
  return scripted;
}

function conductAll({ run, instruments }: ScriptedRun, signal = never): Promise<void> {
  return measure(run, capacity, instruments, signal);
}

/** Number of the block that counts and that a slot belongs to; −1 for the discarded one. */
const blockOf = (nth: number) => Math.floor(nth / slotsOfABlock) - 1;

const error: ErrorGroup = {
  transport: 'https',
  step: 'Search',
  outcome: 'unexpected_status',
  detail: 'answered 500 instead of 200',
  count: 1,
};

test('a quick run measures seven blocks at each point in the order of its seed, after one that is discarded', async () => {
  const scripted = start({ request: { seed: 99 } });
  await conductAll(scripted);
  const orders = planBlocks(99, 7);
  const [first] = orders;
  const letters = `${first?.order}${orders.map(({ order }) => order).join('')}`;
  expect(scripted.slots.map(({ arm }) => arm)).toEqual([...letters].map((letter) => armOfLetter[letter]));
  const blocks = scripted.blocks;
  expect(blocks.map(({ index, kind, order }) => ({ index, kind, order }))).toEqual(orders);
  expect(blocks.flatMap(({ reasons }) => reasons)).toEqual([]);
  expect(blocks).toEqual(scripted.run.blocks);
});

test('steady slots are offered the rate of the plan, maximum slots none', async () => {
  const scripted = start({ plan: { ratePerS: 420 } });
  await conductAll(scripted);
  const { steady, maximum } = scripted.run.plan.slots;
  for (const [nth, slot] of scripted.slots.entries()) {
    const kind = scripted.run.blocks[Math.max(0, blockOf(nth))]?.kind;
    const shape = kind === 'steady' ? { ...steady, ratePerS: 420 } : { ...maximum, ratePerS: null };
    expect(slot).toMatchObject(shape);
  }
});

test('all slots of a block begin with the same row of the data, those of the next with another', async () => {
  const scripted = start();
  await conductAll(scripted);
  const firstRows = scripted.slots.map(({ firstRow }) => firstRow);
  const ofBlocks = Array.from({ length: firstRows.length / slotsOfABlock }, (_, nth) => [
    ...new Set(firstRows.slice(nth * slotsOfABlock, (nth + 1) * slotsOfABlock)),
  ]);
  expect(ofBlocks.every((rows) => rows.length === 1)).toBe(true);
  // The discarded block is the first one, measured ahead.
  expect(new Set(ofBlocks.flat()).size).toBe(ofBlocks.length - 1);
});

test('a slot for which there are no ports waits until closed connections have given theirs back', async () => {
  const scripted = start({ script: () => ({ connectionsOpened: 500 }) });
  const limits = { ephemeralPorts: 1000, reusesTimeWait: false, descriptors: [] };
  let asked = 0;
  // From the fourth slot on, whose arm is known to open 500; one look later the ports are back.
  scripted.instruments.readSocketLimits = () => ({ ...limits, timeWait: ++asked === 4 ? 501 : 0 });
  await conductAll(scripted);
  expect(asked).toBe(scripted.slots.length + 1);
  expect(scripted.blocks.flatMap(({ reasons }) => reasons)).toEqual([]);
});

test('whoever has to act before a slot is told of each, of the discarded block’s as well, before it is loaded', async () => {
  const scripted = start();
  const told: { arm: string; loadedBefore: number }[] = [];
  scripted.instruments.beforeSlot = async (arm) => {
    told.push({ arm, loadedBefore: scripted.slots.length });
  };
  await conductAll(scripted);
  expect(told).toEqual(scripted.slots.map(({ arm }, nth) => ({ arm, loadedBefore: nth })));
});

test('a slot is stored with its place in time, its curve and its values', async () => {
  const cpuUs = (arm: string) => (arm === 'comparison' ? 600 : 500);
  const scripted = start({ plan: { ratePerS: 500 }, cpuUs });
  await conductAll(scripted);
  const [block] = scripted.blocks.filter(({ kind }) => kind === 'steady');
  const [first, second] = block?.slots ?? [];
  expect((second?.startedAtMs ?? 0) - (first?.startedAtMs ?? 0)).toBe(300);
  const comparison = block?.slots.find(({ arm }) => arm === 'comparison');
  expect(comparison).toMatchObject({
    transport: 'https',
    point: 'steady',
    host: { stealRatio: 0, foreignRatio: 0 },
    target: {
      wallUs: 300_000,
      cpuUs: 90_000,
      cpuTickUs: 90_000,
      cpuWitnessUs: null,
      rssPeakBytes: 85_000_000,
    },
    values: {
      // 500 transactions a second in 0.3 s.
      cpu_per_transaction: 600,
      cpu_utilization: 30,
      latency_p50: 1000,
      memory_peak: 85_000_000,
      memory_growth: 0,
      disk_bytes_per_s: 0,
      wire_bytes_per_transaction: 1_000_000 / 150,
    },
  });
  expect(comparison?.curve.map(({ atMs, rssBytes }) => ({ atMs, rssBytes }))).toEqual(
    [100, 200, 300].map((atMs) => ({ atMs, rssBytes: 85_000_000 })),
  );
  const { metrics } = analyse(scripted.run.blocks, { finished: true, ownTwin: true });
  expect(metrics.find(({ id }) => id === 'cpu_per_transaction')).toMatchObject({
    outcome: 'overhead',
    baseline: { center: 500 },
    comparison: { center: 600 },
    delta: { center: 100, lo: 100, hi: 100 },
  });
});

test('what goes wrong in one slot drops its block with the reason, and the run goes on', async () => {
  const troubles: Record<number, Partial<LoadResult>> = {
    1: { errors: [error] },
    3: { generatorBusiestUs: 1e9, elapsedUs: 1e9 },
    5: { started: 999, succeeded: 998 },
  };
  const scripted = start({
    script: (_arm, _slot, nth) => (nth % slotsOfABlock === 2 ? (troubles[blockOf(nth)] ?? {}) : {}),
  });
  await conductAll(scripted);
  const reasons = scripted.blocks.map((block) => block.reasons.map(({ code }) => code));
  expect(reasons[1]).toEqual(['errors']);
  expect(reasons[3]).toContain('overrun');
  expect(reasons[5]).toEqual(['errors']);
  expect(reasons.flatMap((codes, index) => (codes.length === 0 ? [] : [index]))).toEqual([1, 3, 5]);
});

test('a target that counts other handshakes than the generator drops the block', async () => {
  const scripted = start();
  let asked = 0;
  scripted.instruments.counters = async () => {
    asked += 1;
    return {
      cpuUs: 0,
      rssBytes: 1,
      requests: 0,
      connections: 0,
      handshakesFull: asked,
      handshakesResumed: 0,
    };
  };
  await conductAll(scripted);
  const [block] = scripted.blocks;
  expect(block?.reasons.map(({ code }) => code)).toContain('handshakes_disagree');
});

test('errors in three blocks in a row end the run, with what it has measured', async () => {
  const scripted = start({
    script: (arm, _slot, nth) => (blockOf(nth) >= 2 && arm === 'comparison' ? { errors: [error] } : {}),
  });
  await expect(conductAll(scripted)).rejects.toMatchObject({
    problem: {
      code: 'target_errors',
      detail: 'The target fails in block 5: https, Search: answered 500 instead of 200 (2 times).',
    },
  });
  expect(scripted.blocks.map(({ reasons }) => reasons.length > 0)).toEqual([false, false, true, true, true]);
});

test('errors in two blocks at a time are borne', async () => {
  const scripted = start({
    script: (arm, _slot, nth) =>
      blockOf(nth) >= 0 && blockOf(nth) % 3 !== 0 && arm === 'twin' ? { errors: [error] } : {},
  });
  await conductAll(scripted);
  expect(scripted.blocks).toHaveLength(14);
});

test.each([
  ['target_errors', error],
  ['target_died', { ...error, outcome: 'connection_refused', detail: 'the connection was refused' }],
] as const)('a slot that mostly fails ends the run at once: %s', async (code, group) => {
  const scripted = start({
    script: (_arm, _slot, nth) =>
      nth === 2 * slotsOfABlock + 3 ? { started: 100, succeeded: 49, errors: [{ ...group, count: 51 }] } : {},
  });
  await expect(conductAll(scripted)).rejects.toMatchObject({
    problem: { code, detail: expect.stringMatching(/in block 2: https, Search: .* \(51 times\)/) },
  });
  const blocks = scripted.blocks;
  expect(blocks.map(({ slots }) => slots.length)).toEqual([6, 6]);
  expect(scripted.slots).toHaveLength(3 * slotsOfABlock);
});

test('a standard run stops at its fewest blocks when all intervals are narrow', async () => {
  const scripted = start({ request: { preset: 'standard' } });
  await conductAll(scripted);
  expect(scripted.blocks).toHaveLength(2 * 12);
});

test('a standard run goes on to its last block while one interval is wide', async () => {
  // CPU of the comparison arm swings by a third from block to block.
  const cpuUs = (arm: string, nth: number) => (arm === 'comparison' && blockOf(nth) % 4 < 2 ? 800 : 600);
  const scripted = start({ request: { preset: 'standard' }, cpuUs });
  await conductAll(scripted);
  expect(scripted.blocks).toHaveLength(2 * 21);
});

test('a target whose processes cannot be read does not hold a standard run up', async () => {
  const scripted = start({ request: { preset: 'standard' }, cpuUs: null });
  await conductAll(scripted);
  const blocks = scripted.blocks;
  expect(blocks).toHaveLength(2 * 12);
  expect(blocks.every(({ slots }) => slots.every(({ target }) => target === null))).toBe(true);
});

test('slots of a slow target last twice as long in a standard run', async () => {
  const scripted = start({ request: { preset: 'standard' }, plan: { ratePerS: 20 } });
  const { run, instruments } = scripted;
  await measure(run, { baseline: 60, comparison: 40 }, instruments, never);
  expect(new Set(scripted.slots.map(({ durationMs }) => durationMs))).toEqual(new Set([2000, 1000]));
});

test('a run that is cancelled stops after the slot under way; the blocks before are stored, its own is not', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const scripted = start({
    script: (_arm, _slot, nth) => {
      if (nth === 3 * slotsOfABlock + 2) controller.abort(reason);
      return {};
    },
  });
  await expect(conductAll(scripted, controller.signal)).rejects.toBe(reason);
  expect(scripted.slots).toHaveLength(3 * slotsOfABlock + 3);
  expect(scripted.blocks).toHaveLength(2);
});

test('events tell each block once, in order, and the bar never goes back', async () => {
  const scripted = start({
    script: (_arm, _slot, nth) => (blockOf(nth) === 4 ? { errors: [error] } : {}),
  });
  await scripted.run.enter('measuring');
  await conductAll(scripted);
  const { events } = scripted;
  const of = <T extends RunEvent['type']>(type: T) =>
    events.flatMap((event) => (event.type === type ? [event as Extract<RunEvent, { type: T }>] : []));

  expect(of('block').map(({ index }) => index)).toEqual(Array.from({ length: 14 }, (_, index) => index));
  expect(of('block').flatMap(({ index, dropped }) => (dropped.length === 0 ? [] : [index]))).toEqual([4]);
  expect(of('progress').map(({ counts }) => counts)).toEqual(
    Array.from({ length: 15 }, (_, index) => [{ of: 'block', done: index, planned: 14 }]),
  );
  const fractions = of('progress').map(({ fraction }) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(new Set(fractions).size).toBe(15);
  // From the block that failed on, each block tells the groups of all.
  expect(of('errors')).toHaveLength(10);
  expect(of('errors').at(-1)?.groups).toEqual([{ ...error, count: 6 }]);
});
