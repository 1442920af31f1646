/** Protects the progress bar of a run: it never goes back, and ends at its end. */
import { expect, test } from 'vitest';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { launchS, mostLaunches, runS } from './plan-duration.ts';
import { planFor } from './presets.ts';
import { estimateProgress, type Position } from './progress-estimate.ts';

const plan = planFor(runRequestSchema.parse({}), 1);
const at = (position: Partial<Position>) =>
  estimateProgress(plan, {
    ...{ phase: 'measuring', elapsedS: 0, launchesDone: 0, epochsDone: 0, measuredLaunchS: null, told: 0 },
    ...position,
  });

test('a run begins with nothing done and all of its time left', () => {
  const { fraction, secondsLeft } = at({ phase: 'preflight' });
  expect(fraction).toBe(0);
  expect(secondsLeft).toBeCloseTo(runS(plan, mostLaunches(plan)), 9);
});

test('every launch leaves less time, and slower launches more of it', () => {
  const one = at({ elapsedS: 6, launchesDone: 1, measuredLaunchS: 5 });
  const two = at({ elapsedS: 11, launchesDone: 2, measuredLaunchS: 5 });
  expect(two.secondsLeft).toBeCloseTo(one.secondsLeft - 5, 9);
  expect(two.fraction).toBeGreaterThan(one.fraction);
  expect(at({ elapsedS: 8, launchesDone: 1, measuredLaunchS: 8 }).secondsLeft).toBeGreaterThan(
    one.secondsLeft,
  );
});

test('beyond the fewest launches no more time is left than the plan has', () => {
  const { secondsLeft } = at({
    elapsedS: plan.longestS - 2,
    launchesDone: 4,
    measuredLaunchS: launchS(plan),
  });
  expect(secondsLeft).toBeLessThanOrEqual(2.5);
});

test('the fraction never falls below what was told, and is not whole before the end', () => {
  expect(at({ elapsedS: 6, launchesDone: 1, told: 0.9 }).fraction).toBe(0.9);
  expect(at({ phase: 'analysing', elapsedS: 29, launchesDone: 4 }).fraction).toBe(0.98);
});
