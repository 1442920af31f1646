/** Protects the progress bar of a run: it never goes back, and ends at its end. */
import { expect, test } from 'vitest';
import { type Phase, phases, runRequestSchema } from '../../../../shared/run.ts';
import { runS } from './plan-duration.ts';
import { planFor } from './presets.ts';
import { estimateProgress } from './progress-estimate.ts';

const plan = planFor(runRequestSchema.parse({}), 1);
const at = (phase: Phase, phaseFraction: number, blocksDone = 0, told = 0) =>
  estimateProgress(plan, { phase, phaseFraction, blocksDone, blocksPlanned: 14, told });

test('a run begins with nothing done and all of its time left', () => {
  const { fraction, secondsLeft } = at('preflight', 0);
  expect(fraction).toBe(0);
  expect(secondsLeft).toBeCloseTo(runS(plan, 7), 9);
});

test('it ends with everything done', () => {
  expect(at('analysing', 1, 14)).toEqual({ fraction: 1, secondsLeft: 0 });
});

test('every step of a run brings it forward and leaves less time', () => {
  const steps = phases.flatMap((phase) =>
    phase === 'measuring'
      ? Array.from({ length: 15 }, (_, blocks) => at(phase, 0, blocks))
      : [at(phase, 0.25, phase === 'analysing' ? 14 : 0), at(phase, 0.75, phase === 'analysing' ? 14 : 0)],
  );
  for (const [index, step] of steps.slice(1).entries()) {
    expect(step.fraction).toBeGreaterThan(steps[index]?.fraction ?? 1);
    expect(step.secondsLeft).toBeLessThan(steps[index]?.secondsLeft ?? 0);
  }
});

test('the fraction never falls below what was told, the seconds may', () => {
  expect(at('measuring', 0, 3, 0.9).fraction).toBe(0.9);
  expect(at('measuring', 0, 3, 0.9).secondsLeft).toBe(at('measuring', 0, 3).secondsLeft);
});

test('longer slots leave more time', () => {
  const shapes = { steady: { durationMs: 600, discardMs: 60 }, maximum: { durationMs: 340, discardMs: 40 } };
  const position = {
    phase: 'measuring',
    phaseFraction: 0,
    blocksDone: 4,
    blocksPlanned: 14,
    told: 0,
  } as const;
  expect(estimateProgress(plan, { ...position, shapes }).secondsLeft).toBeGreaterThan(
    1.5 * estimateProgress(plan, position).secondsLeft,
  );
});
