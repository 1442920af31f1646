/** Protects the figures of a run under way: blocks add up, and the last medians and errors stand. */
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../shared/progress.ts';
import { followBlocks, noFigures } from './live-figures.ts';

test('blocks add up, and medians and errors are those that were told last', () => {
  const block = (index: number, comparison: number) =>
    ({
      type: 'block',
      kind: 'steady',
      index,
      dropped: [],
      medians: { cpu_per_transaction: { baseline: 100, comparison } },
      ratios: { cpu_per_transaction: comparison / 100 },
    }) satisfies RunEvent;
  const group = { transport: 'https', step: null, outcome: 'timed_out', detail: 'late', count: 2 } as const;
  const errors = { type: 'errors', groups: [group] } satisfies RunEvent;
  const figures = [block(0, 121), block(1, 119), errors].reduce(followBlocks, noFigures);
  expect(figures.blocks.map(({ index }) => index)).toEqual([0, 1]);
  expect(figures.medians).toEqual({ cpu_per_transaction: { baseline: 100, comparison: 119 } });
  expect(figures.errors).toEqual([group]);
});
