/** Protects how many blocks fit into the time of a run. */
import { expect, test } from 'vitest';
import { runRequestSchema } from '../../../../shared/run.ts';
import { blocksThatFit, longestS, runS } from './plan-duration.ts';
import { planFor } from './presets.ts';

const planOf = (preset: 'quick' | 'standard' | 'thorough') =>
  planFor({ ...runRequestSchema.parse({}), preset }, 1);

test('each further pair of blocks takes the time of its twelve slots', () => {
  const plan = planOf('standard');
  // Six slots of 1,000 ms and six of 500 ms, each with 50 ms idle and 15 ms for its edges.
  expect(runS(plan, 13) - runS(plan, 12)).toBeCloseTo(6 * 1.065 + 6 * 0.565, 9);
});

test.each(['quick', 'standard', 'thorough'] as const)(
  'the %s preset with all its blocks keeps the time it promises',
  (preset) => {
    const plan = planOf(preset);
    expect(runS(plan, blocksThatFit(plan, plan.slots))).toBeLessThanOrEqual(longestS[preset]);
  },
);
