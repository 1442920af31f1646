/** Protects the rate that steady slots are offered. */
import { describe, expect, test } from 'vitest';
import { runRequestSchema } from '../../../../shared/run.ts';
import { probeMsOf, rateFor, slotShape, steadyRate } from './operating-point.ts';
import { planFor } from './presets.ts';

const planOf = (preset: 'quick' | 'standard' | 'thorough') => planFor(runRequestSchema.parse({ preset }), 1);

describe('the steady rate', () => {
  test('is half of what the slower arm manages, in two digits', () => {
    expect(steadyRate({ baseline: 1234, comparison: 987 })).toBe(490);
    expect(steadyRate({ baseline: 30, comparison: 45 })).toBe(15);
  });
  test('is never below one a second', () => {
    expect(steadyRate({ baseline: 0.4, comparison: 3 })).toBe(1);
  });
});

describe('the rate of a run', () => {
  const capacities = { baseline: 1000, comparison: 800 };
  test('is the one asked for, when both sides can bear it', () => {
    expect(rateFor(700, capacities)).toBe(700);
    expect(rateFor(null, capacities)).toBe(400);
  });
  test('is refused beyond nine tenths of what the slower side manages', () => {
    expect(() => rateFor(721, capacities)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: 'rate_too_high' }) }),
    );
  });
});

test('a probe is long enough for users who pause', () => {
  const plan = planOf('quick');
  expect(probeMsOf(plan)).toBe(plan.capacityMs);
  expect(probeMsOf({ ...plan, thinkMs: 3000 })).toBe(12_000);
});

describe('a slot', () => {
  test('takes twice as long where fewer than 500 requests a second complete', () => {
    const plan = planOf('standard');
    expect(slotShape(plan, 'steady', 499)).toEqual({ durationMs: 2000, discardMs: 100 });
    expect(slotShape(plan, 'steady', 500)).toEqual(plan.slots.steady);
  });
  test('keeps its length in the presets that have promised a time', () => {
    for (const preset of ['quick', 'thorough'] as const) {
      expect(slotShape(planOf(preset), 'maximum', 10)).toEqual(planOf(preset).slots.maximum);
    }
  });
  test('has room for think times and for the ramp, of which nothing is recorded', () => {
    const plan = { ...planOf('quick'), rampMs: 400 };
    const pausing = { ...plan, thinkMs: 1000 };
    const { steady } = plan.slots;
    expect(slotShape(pausing, 'steady', 5000)).toEqual({
      durationMs: 5400,
      discardMs: steady.discardMs + 400,
    });
    expect(slotShape(plan, 'steady', 5000).durationMs).toBe(steady.durationMs + 400);
    expect(slotShape(plan, 'maximum', 5000)).toEqual(plan.slots.maximum);
  });
});
