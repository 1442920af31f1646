/** Protects the rate of open load. */
import { describe, expect, test } from 'vitest';
import { rateFor, steadyRate } from './operating-point.ts';

describe('the steady rate', () => {
  test('is half of what the slowest side manages, in two digits', () => {
    expect(steadyRate([1234, 987])).toBe(490);
    expect(steadyRate([30, 45])).toBe(15);
    expect(steadyRate([900, 500, 200])).toBe(100);
  });
  test('is never below one a second', () => {
    expect(steadyRate([0.4, 3])).toBe(1);
  });
});

describe('the rate of a run', () => {
  const capacities = [1000, 800];
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
