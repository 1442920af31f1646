/** Protects what a live page adds up from the events of a run. */

import { expect, test } from 'vitest';
import type { Block, RunEvent } from '../../../shared/kinds/comparison/block.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import {
  asideInWords,
  countWindows,
  followBlocks,
  type LiveFigures,
  mediansOf,
  noFigures,
  plannedBlocks,
} from './live-blocks.tsx';

type BlockEvent = Extract<RunEvent, { type: 'block' }>;

const block = (index: number, comparison: number, change: Partial<BlockEvent> = {}): RunEvent => ({
  type: 'block',
  kind: 'lockstep',
  index,
  launch: 0,
  epoch: index,
  reasons: [],
  windows: { measured: 10, aside: 0 },
  values: { cpu_at_load: { baseline: 100, comparison } },
  ratios: { cpu_at_load: comparison / 100 },
  interval: null,
  ...change,
});

function follow(...events: RunEvent[]): LiveFigures {
  return events.reduce<LiveFigures>(
    (figures, event) =>
      event.type === 'block' || event.type === 'errors' ? followBlocks(figures, event) : figures,
    noFigures,
  );
}

test('blocks add up, medians are of all of them, and errors are the latest', () => {
  const group = {
    side: 'comparison',
    name: 'HTTPS',
    step: null,
    outcome: 'timed_out',
    detail: 'late',
    count: 2,
  } as const;
  const figures = follow(block(0, 121), block(1, 119), block(2, 300), { type: 'errors', groups: [group] });
  expect(figures.blocks.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(mediansOf(figures.blocks, 'cpu_at_load')).toEqual({ baseline: 100, comparison: 121 });
  expect(mediansOf(figures.blocks, 'throughput')).toBeNull();
  expect(figures.errors).toEqual([group]);
});

test('windows add up over the blocks, and launches are those that have a block', () => {
  const figures = follow(
    block(0, 121, { windows: { measured: 10, aside: 1 } }),
    block(1, 119, { windows: { measured: 12, aside: 3 }, launch: 1 }),
  );
  expect(figures).toMatchObject({ windows: { measured: 22, aside: 4 }, launches: 2 });
});

test('the interval is that of the latest block', () => {
  const wide = { center: 1.2, lo: 1.1, hi: 1.3 };
  const narrow = { center: 1.2, lo: 1.18, hi: 1.22 };
  expect(follow(block(0, 121)).interval).toBeNull();
  const figures = follow(block(0, 121, { interval: wide }), block(1, 119, { interval: narrow }));
  expect(figures.interval).toEqual(narrow);
});

test('an epoch is a block in lockstep, one at the maximum, and one in open load where there is any', () => {
  const counts = [
    { of: 'start', done: 1, planned: 4 },
    { of: 'repetition', done: 2, planned: 3 },
  ];
  const plan = (openMs: number | null) => ({ openMs }) as RunDocument['plan'];
  expect(plannedBlocks(plan(null), counts)).toBe(24);
  expect(plannedBlocks(plan(1000), counts)).toBe(36);
  expect(plannedBlocks(plan(1000), [])).toBe(0);
});

/** Protects the share of windows set aside, which says how disturbed a run was. */

const blockOf = (...asides: boolean[]) =>
  ({ windows: asides.map((aside) => ({ aside })) }) as unknown as Block;

test('windows are counted over all blocks, whatever their kind', () => {
  expect(countWindows([blockOf(true, false, false), blockOf(), blockOf(true)])).toEqual({
    measured: 4,
    aside: 2,
  });
});

test('the share is said where there were windows, and only there', () => {
  expect(asideInWords({ measured: 120, aside: 7 })).toBe('5.8 % of rounds discarded');
  expect(asideInWords({ measured: 120, aside: 0 })).toBe('no rounds discarded');
  expect(asideInWords({ measured: 0, aside: 0 })).toBeNull();
});
