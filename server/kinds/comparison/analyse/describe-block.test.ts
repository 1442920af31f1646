/** Protects the event of a block during a run. */
import { expect, test } from 'vitest';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import { runEventSchema } from '../../../../shared/kinds/comparison/progress.ts';
import { blockInTest, failed } from '../../../testing/block-in-test.ts';
import { describeBlock } from './describe-block.ts';

const cpu = (baseline: number, comparison: number) => (arm: string) => ({
  values: { cpu_lone: arm === 'comparison' ? comparison : baseline, memory_growth: 0 },
});

function eventOf(blocks: Block[]) {
  const event = runEventSchema.parse(describeBlock(blocks.at(-1) as Block, blocks));
  if (event.type !== 'block') throw new Error(event.type);
  return event;
}

test('a block tells its own ratio, its windows, and the medians of all kept blocks so far', () => {
  const window = { startedAtMs: 0, elapsedMs: 200, stealRatio: 0, foreignRatio: 0, arms: windowArms };
  const windows = [
    { ...window, aside: false },
    { ...window, aside: true },
    { ...window, aside: false },
  ];
  const event = eventOf([
    blockInTest(0, 'lockstep', cpu(100, 120)),
    blockInTest(1, 'lockstep', cpu(300, 900), { reasons: failed }),
    blockInTest(2, 'lockstep', cpu(110, 143), { launch: 1, epoch: 3, windows }),
  ]);
  expect(event).toEqual({
    type: 'block',
    index: 2,
    kind: 'lockstep',
    launch: 1,
    epoch: 3,
    dropped: [],
    windows: { measured: 3, aside: 1 },
    medians: {
      cpu_lone: { baseline: expect.closeTo(105, 9), comparison: expect.closeTo(131.5, 9) },
      memory_growth: { baseline: 0, comparison: 0 },
    },
    ratios: { cpu_lone: expect.closeTo(1.3, 12) },
    intervals: { cpu_lone: expect.objectContaining({ center: expect.closeTo(1.2489, 3) }) },
    fromPrior: [],
  });
});

test('a dropped block says why, and changes no median', () => {
  expect(eventOf([blockInTest(0, 'lockstep', cpu(100, 120), { reasons: failed })])).toMatchObject({
    dropped: ['HTTP: 1 request failed.'],
    medians: {},
  });
});

test('a block tells nothing of the metrics that are not read from it', () => {
  const block = blockInTest(0, 'maximum', () => ({ values: { throughput: 400, latency_p50: 7 } }));
  expect(eventOf([block]).ratios).toEqual({ throughput: 1 });
});

test('the interval so far is the prior’s alone after one block, which is marked, and then the launches’ with it', () => {
  const at = (index: number, launch: number, change: number) =>
    blockInTest(index, 'lockstep', cpu(100, 100 * Math.exp(change)), { launch });
  const blocks = [at(0, 0, 0.1), at(1, 1, 0.2), at(2, 2, 0.3)];
  const of = (count: number) => eventOf(blocks.slice(0, count));
  const reachOf = ({ intervals: { cpu_lone } }: ReturnType<typeof of>) =>
    Math.log((cpu_lone?.hi ?? 0) / (cpu_lone?.center ?? 1));
  // The shipped prior: 1.5 % with two degrees of freedom, whose t is 4.302653.
  expect(of(1).fromPrior).toEqual(['cpu_lone']);
  expect(reachOf(of(1))).toBeCloseTo(4.302653 * 0.015, 6);
  // Of 0.1, 0.2 and 0.3 the variance is 0.1², with two degrees; four together have a t of 2.776445.
  expect(of(3).fromPrior).toEqual([]);
  expect(Math.log(of(3).intervals.cpu_lone?.center ?? 0)).toBeCloseTo(0.2, 12);
  expect(reachOf(of(3))).toBeCloseTo(2.776445 * Math.sqrt((2 * 0.015 ** 2 + 2 * 0.1 ** 2) / 4 / 3), 6);
});

test('of a target that stands already the epochs count from the third on', () => {
  const blocks = [0.1, 0.2, 0.3].map((change, epoch) =>
    blockInTest(epoch, 'lockstep', cpu(100, 100 * Math.exp(change)), { epoch }),
  );
  const eventAfter = (count: number) =>
    describeBlock(blocks[count - 1] as Block, blocks.slice(0, count), { target: 'origins' });
  expect(eventAfter(2)).toMatchObject({ intervals: {} });
  expect(eventAfter(3)).toMatchObject({
    fromPrior: [],
    intervals: { cpu_lone: { center: expect.any(Number) } },
  });
});

const windowArm = { transactions: 1, cpuUs: 1, medianUs: 1, perS: null };
const windowArms = { baseline: windowArm, comparison: windowArm, twin: windowArm };
