/** Protects the progress bar of a run: its phases are the promise of its plan, and its launches bring it to the end. */
import { expect, test } from 'vitest';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { estimateProgress } from '../../../../shared/measurement/estimate-progress.ts';
import { launchS, mostLaunches, runS } from './plan-duration.ts';
import { planFor } from './presets.ts';
import { measuredPart, mostSecondsLeft, runPhases } from './run-phases.ts';

const plan = planFor(runRequestSchema.parse({}), 1);

test('the phases together take what the plan promises', () => {
  const seconds = runPhases(plan).reduce((sum, phase) => sum + phase.seconds, 0);
  expect(seconds).toBeCloseTo(runS(plan, mostLaunches(plan)), 9);
});

test('every epoch and every launch is a part of the measuring, and all of them are all of it', () => {
  const parts = [
    measuredPart(plan, 0, 0),
    measuredPart(plan, 0, plan.epochs.maximum),
    measuredPart(plan, 1, 0),
    measuredPart(plan, 2, 1),
    measuredPart(plan, mostLaunches(plan), 0),
  ];
  expect(parts[0]).toBe(0);
  expect(parts[1]).toBeCloseTo(parts[2] ?? 0, 9);
  expect(parts[3]).toBeGreaterThan(parts[2] ?? 1);
  expect(parts[4]).toBeCloseTo(1, 9);
});

test('beyond the fewest launches no more time is left than the plan has', () => {
  const elapsedS = plan.longestS - 2;
  const { secondsLeft } = estimateProgress(runPhases(plan), {
    ...{ phase: 'measuring', part: measuredPart(plan, 4, 0), elapsedS, inPhaseS: 4 * launchS(plan) },
    ...{ before: 0, told: 0, mostSecondsLeft: mostSecondsLeft(plan, elapsedS, 4) },
  });
  expect(secondsLeft).toBeLessThanOrEqual(2.5);
  expect(mostSecondsLeft(plan, elapsedS, plan.launches.minimum - 1)).toBe(Number.POSITIVE_INFINITY);
});
