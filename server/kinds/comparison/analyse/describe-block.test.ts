/** Protects the event of a block during a run. */
import { expect, test } from 'vitest';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import { runEventSchema } from '../../../../shared/kinds/comparison/progress.ts';
import { blockInTest, failed } from '../../../testing/block-in-test.ts';
import { describeBlock } from './describe-block.ts';

const cpu = (baseline: number, comparison: number) => (arm: string) => ({
  values: { cpu_at_load: arm === 'comparison' ? comparison : baseline, memory_growth: 0 },
});
const known = { target: 'storefront', openMs: null } as const;

function eventOf(blocks: Block[]) {
  const event = runEventSchema.parse(describeBlock(blocks.at(-1) as Block, blocks, known));
  if (event.type !== 'block') throw new Error(event.type);
  return event;
}

test('a block tells what it says itself, its windows, and the interval of the headline over all that count', () => {
  const window = { startedAtMs: 0, elapsedMs: 200, stealRatio: 0, foreignRatio: 0, arms: windowArms };
  const windows = [
    { ...window, aside: false },
    { ...window, aside: true },
    { ...window, aside: false },
  ];
  const event = eventOf([
    blockInTest(0, 'maximum', cpu(100, 120)),
    blockInTest(1, 'maximum', cpu(300, 900), { reasons: failed }),
    blockInTest(2, 'maximum', cpu(110, 143), { launch: 1, epoch: 3, windows }),
  ]);
  expect(event).toEqual({
    type: 'block',
    index: 2,
    kind: 'maximum',
    launch: 1,
    epoch: 3,
    reasons: [],
    windows: { measured: 3, aside: 1 },
    values: {
      cpu_at_load: { baseline: expect.closeTo(110, 9), comparison: expect.closeTo(143, 9) },
      memory_growth: { baseline: 0, comparison: 0 },
    },
    ratios: { cpu_at_load: expect.closeTo(1.3, 12) },
    interval: expect.objectContaining({ center: expect.closeTo(1.2489, 3) }),
  });
});

test('a dropped block says why, and nothing of any metric', () => {
  expect(eventOf([blockInTest(0, 'maximum', cpu(100, 120), { reasons: failed })])).toMatchObject({
    reasons: failed,
    ...{ values: {}, ratios: {}, interval: null },
  });
});

test('a block tells nothing of the metrics that are not read from it, in a run with open load or without', () => {
  const values = { throughput: 400, latency_p50: 7, latency_p99: 9 };
  const ratiosAt = (kind: 'maximum' | 'lockstep' | 'steady', openMs: number | null) => {
    const block = blockInTest(0, kind, () => ({ values }));
    const event = describeBlock(block, [block], { ...known, openMs });
    return event.type === 'block' ? Object.keys(event.ratios) : [];
  };
  expect(ratiosAt('maximum', null)).toEqual(['throughput']);
  expect(ratiosAt('lockstep', null)).toContain('latency_p50');
  expect(ratiosAt('lockstep', 1000)).not.toContain('latency_p99');
  expect(ratiosAt('steady', 1000)).not.toContain('latency_p50');
});

test('the interval so far is the prior’s alone after one block, and then the launches’ with it', () => {
  const at = (index: number, launch: number, change: number) =>
    blockInTest(index, 'maximum', cpu(100, 100 * Math.exp(change)), { launch });
  const blocks = [at(0, 0, 0.1), at(1, 1, 0.2), at(2, 2, 0.3)];
  const of = (count: number) => eventOf(blocks.slice(0, count)).interval;
  const reachOf = (count: number) => Math.log((of(count)?.hi ?? 0) / (of(count)?.center ?? 1));
  // The shipped prior: 0.75 % with two degrees of freedom, whose t is 4.302653.
  expect(reachOf(1)).toBeCloseTo(4.302653 * 0.0075, 6);
  // The variance of 0.1, 0.2 and 0.3 is 0.1², so far above the prior's that nothing is borrowed: two degrees.
  expect(Math.log(of(3)?.center ?? 0)).toBeCloseTo(0.2, 12);
  expect(reachOf(3)).toBeCloseTo((4.302653 * 0.1) / Math.sqrt(3), 6);
});

test('of a target that stands already the epochs count from the third on', () => {
  const blocks = [0.1, 0.2, 0.3].map((change, epoch) =>
    blockInTest(epoch, 'maximum', cpu(100, 100 * Math.exp(change)), { epoch }),
  );
  const event = describeBlock(blocks[2] as Block, blocks, { ...known, target: 'origins' });
  expect(event).toMatchObject({ interval: { center: expect.any(Number) } });
});

const windowArm = { transactions: 1, cpuUs: 1, medianUs: 1, perS: null };
const windowArms = { baseline: windowArm, comparison: windowArm, twin: windowArm };
