import { describe, expect, test } from 'vitest';
import { slotShape, steadyRate } from './operating-point.ts';
import { planFor } from './presets.ts';

const planOf = (preset: 'quick' | 'standard' | 'thorough') =>
  planFor({ preset, connections: 8, connectionPolicy: 'keep-alive' }, 1);

describe('the steady rate', () => {
  test('is half of what the slower arm manages, in two digits', () => {
    expect(steadyRate({ baseline: 1234, comparison: 987 })).toBe(490);
    expect(steadyRate({ baseline: 30, comparison: 45 })).toBe(15);
  });
  test('is never below one a second', () => {
    expect(steadyRate({ baseline: 0.4, comparison: 3 })).toBe(1);
  });
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
});
