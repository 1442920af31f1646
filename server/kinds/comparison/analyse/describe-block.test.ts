/** Protects what is told of a block while its run goes on. */
import { expect, test } from 'vitest';
import { runEventSchema } from '../../../../shared/progress.ts';
import { blockInTest, disturbed } from '../../../testing/block-in-test.ts';
import { describeBlock } from './describe-block.ts';

const cpu = (baseline: number, comparison: number) => (arm: string) => ({
  values: { cpu_per_transaction: arm === 'comparison' ? comparison : baseline, memory_growth: 0 },
});

test('a block tells its own ratio and the medians of all kept blocks so far', () => {
  const blocks = [
    blockInTest(0, 'steady', cpu(100, 120)),
    blockInTest(1, 'steady', cpu(300, 900), disturbed),
    blockInTest(2, 'steady', cpu(110, 143)),
  ];
  const event = describeBlock(blocks[2] ?? blockInTest(2, 'steady', () => ({})), blocks);
  expect(runEventSchema.parse(event)).toEqual({
    type: 'block',
    index: 2,
    kind: 'steady',
    dropped: [],
    medians: {
      cpu_per_transaction: { baseline: 105, comparison: 131.5 },
      memory_growth: { baseline: 0, comparison: 0 },
    },
    ratios: { cpu_per_transaction: 1.3 },
  });
});

test('a dropped block says why, and changes no median', () => {
  const dropped = blockInTest(0, 'steady', cpu(100, 120), disturbed);
  const event = describeBlock(dropped, [dropped]);
  expect(event).toMatchObject({ dropped: ['Slot 1 (http): disturbed.'], medians: {} });
});

test('a block tells nothing of the metrics that it does not hold', () => {
  const block = blockInTest(0, 'maximum', () => ({ values: { throughput: 400 } }));
  expect(describeBlock(block, [block])).toMatchObject({
    medians: { throughput: { baseline: 400, comparison: 400 } },
    ratios: { throughput: 1 },
  });
});
