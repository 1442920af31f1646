/** Protects the progress bar of a run: its phases are the promise of its plan, and its launches bring it to the end. */
import { expect, test } from 'vitest';
import { runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { launchS, mostLaunches, runS } from './plan-duration.ts';
import { planFor } from './presets.ts';
import { measuredPart, mostSecondsLeft, type Progress, progressOf, runPhases } from './run-phases.ts';

const plan = planFor(runRequestSchema.parse({}), 1);
const origins = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
const standing = planFor(runRequestSchema.parse({ target: origins }), 1);
const at = (change: Partial<Progress> = {}): Progress => ({
  ...{ phase: 'measuring', elapsedS: 0, inPhaseS: 0, inStepS: 0, told: 0 },
  ...{ launchesDone: 0, epochsDone: 0, isWarm: true, pace: { transactionMs: 0, epochS: null } },
  ...change,
});

test('the phases together take what the plan promises', () => {
  const seconds = runPhases(plan).reduce((sum, phase) => sum + phase.seconds, 0);
  expect(seconds).toBeCloseTo(runS(plan, mostLaunches(plan)), 9);
});

test('every epoch and every launch is a part of the measuring, and all of them are all of it', () => {
  const started = { isWarm: false };
  const parts = [
    at(),
    at({ epochsDone: plan.epochs.maximum }),
    at({ ...started, launchesDone: 1 }),
    at({ launchesDone: 1 }),
    at({ launchesDone: 1, epochsDone: 1 }),
    at({ ...started, launchesDone: 2 }),
    at({ ...started, launchesDone: mostLaunches(plan) }),
  ].map((progress) => measuredPart(plan, progress));
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  expect(parts[0]).toBe(0);
  expect(parts[1]).toBeCloseTo(parts[2] ?? 0, 9);
  expect(parts[3]).toBeGreaterThan(parts[2] ?? 1);
  expect(parts[4]).toBeCloseTo(parts[5] ?? 0, 9);
  expect(parts[6]).toBeCloseTo(1, 9);
});

test('an epoch that goes on counts with its seconds, but is not over before it has ended', () => {
  const [half, late] = [1.3, 60].map((inStepS) => measuredPart(plan, at({ inStepS })));
  expect(half).toBeGreaterThan(0);
  expect(late).toBeGreaterThan(half ?? 1);
  expect(late).toBeLessThan(measuredPart(plan, at({ epochsDone: 1 })));
});

test('the time left of a target that takes 2 s is known with its first transaction, and counts down', () => {
  const pace = { transactionMs: 2000, epochS: null };
  const left = (change: Partial<Progress>) => progressOf(standing, at({ pace, ...change })).secondsLeft;
  // A round at load of 3 × (0.8 + 2) s, three transactions of a lone user, and edges.
  const epoch = 8.4 + 6 + 0.2;
  expect(left({ phase: 'warm-up', elapsedS: 8, inPhaseS: 6 })).toBeCloseTo(1 + 6 + 4 * epoch + 0.5, 6);
  for (const seconds of [3, 10, 14]) {
    const now = { elapsedS: 14 + seconds, inPhaseS: seconds, inStepS: seconds };
    expect(left(now)).toBeCloseTo(4 * epoch - seconds + 0.5, 6);
  }
  const known = { pace: { transactionMs: 2000, epochS: 15 } };
  expect(left({ ...known, elapsedS: 44, inPhaseS: 30, epochsDone: 2 })).toBeCloseTo(30.5, 6);
});

test('while the first answer has not come, the time left grows with what has been waited', () => {
  const left = (inPhaseS: number) =>
    progressOf(standing, at({ phase: 'warm-up', elapsedS: inPhaseS, inPhaseS, isWarm: false })).secondsLeft;
  expect(left(6)).toBeGreaterThan(left(3));
  expect(left(3)).toBeGreaterThan(left(0.1));
});

test('beyond the fewest launches no more time is left than the plan has', () => {
  const elapsedS = plan.longestS - 2;
  const { secondsLeft } = progressOf(
    plan,
    at({ launchesDone: 4, isWarm: false, elapsedS, inPhaseS: 4 * launchS(plan) }),
  );
  expect(secondsLeft).toBeLessThanOrEqual(2.5);
  expect(mostSecondsLeft(plan, elapsedS, plan.launches.minimum - 1)).toBe(Number.POSITIVE_INFINITY);
});
