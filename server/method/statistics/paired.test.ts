/** Protects the Wilcoxon interval and p-value, against reference values and their own symmetries. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wilcoxonInterval, wilcoxonPValue } from './paired.ts';
import reference from './reference/scipy.json' with { type: 'json' };

const samples = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 6, maxLength: 30 });

describe('the interval', () => {
  test.each(reference.cases.filter(({ intervals }) => intervals !== undefined))(
    'of the sample $name holds the centers that SciPy’s exact test does not reject',
    ({ values, center, intervals }) => {
      for (const [confidence, [lo = Number.NaN, hi = Number.NaN]] of Object.entries(intervals ?? {})) {
        const interval = wilcoxonInterval(values, Number(confidence));
        expect(interval?.center).toBeCloseTo(center ?? Number.NaN, 12);
        expect(interval?.lo).toBeCloseTo(lo, 12);
        expect(interval?.hi).toBeCloseTo(hi, 12);
      }
    },
  );

  test('of 1, 2, 4, 8, 16, 32 is their range, and the center the middle of the 21 Walsh averages', () => {
    // 1 1.5 2 2.5 3 4 4.5 5 6 8 8.5 9 10 12 16 16.5 17 18 20 24 32
    expect(wilcoxonInterval([1, 2, 4, 8, 16, 32])).toEqual({ center: 8.5, lo: 1, hi: 32 });
  });

  test('of fewer than six differences does not exist', () => {
    expect(wilcoxonInterval([1, 2, 3, 4, 5])).toBeNull();
    expect(wilcoxonInterval([])).toBeNull();
  });

  test('of equal differences has no width', () => {
    expect(wilcoxonInterval([2, 2, 2, 2, 2, 2, 2])).toEqual({ center: 2, lo: 2, hi: 2 });
  });

  test('turns around when the differences are negated', () => {
    fc.assert(
      fc.property(samples, (values) => {
        const there = wilcoxonInterval(values);
        const back = wilcoxonInterval(values.map((value) => -value));
        expect(back?.lo).toBeCloseTo(-(there?.hi ?? 0), 9);
        expect(back?.center).toBeCloseTo(-(there?.center ?? 0), 9);
      }),
    );
  });

  test('moves along with the differences, and holds their center', () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: -50, max: 50 }), (values, shift) => {
        const there = wilcoxonInterval(values);
        const moved = wilcoxonInterval(values.map((value) => value + shift));
        expect(moved?.hi).toBeCloseTo((there?.hi ?? 0) + shift, 9);
        expect(there?.lo).toBeLessThanOrEqual(there?.center ?? Number.NaN);
        expect(there?.hi).toBeGreaterThanOrEqual(there?.center ?? Number.NaN);
      }),
    );
  });
});

describe('the p-value', () => {
  test.each(reference.cases)('of the sample $name is that of SciPy', ({ values, pValue }) => {
    expect(wilcoxonPValue(values)).toBeCloseTo(pValue, 12);
  });

  test('of six differences with one sign is 2/64', () => {
    expect(wilcoxonPValue([1, 2, 3, 4, 5, 6])).toBe(2 / 64);
  });

  test('of nothing but zeros is 1', () => {
    expect(wilcoxonPValue([0, 0, 0, 0, 0, 0])).toBe(1);
  });

  test('is at most what the interval leaves out exactly when the interval excludes zero', () => {
    const untied = fc.uniqueArray(
      fc.integer({ min: -300, max: 1000 }).filter((value) => value !== 0),
      {
        minLength: 6,
        maxLength: 20,
        selector: Math.abs,
      },
    );
    fc.assert(
      fc.property(untied, (values) => {
        const interval = wilcoxonInterval(values, 0.95);
        const excludes = interval !== null && (interval.lo > 0 || interval.hi < 0);
        expect(wilcoxonPValue(values) <= 0.05).toBe(excludes);
      }),
    );
  });
});
