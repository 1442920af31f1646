/** Protects the paired comparison: exact ratios, and swapping the sides turns it around. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparePaired, type Pair } from './paired.ts';

/** Seven blocks whose second arm is `factor` times the first. */
function blocksWith(factor: number): Pair[] {
  return [100, 120, 90, 110, 105, 95, 130].map((value) => ({
    a: [value, value * 1.1],
    b: [value * factor, value * 1.1 * factor],
  }));
}

describe('ratios', () => {
  test('are found exactly, whatever the level of each block', () => {
    const { ratio, perBlock } = comparePaired(blocksWith(1.25), 'ratio');
    expect(perBlock.every((value) => Math.abs(value - 1.25) < 1e-12)).toBe(true);
    expect(ratio?.lo).toBeCloseTo(1.25, 12);
    expect(ratio?.hi).toBeCloseTo(1.25, 12);
  });

  test('of identical arms are exactly 1, without width', () => {
    const { ratio, delta, pValue } = comparePaired(blocksWith(1), 'ratio');
    expect(ratio).toEqual({ center: 1, lo: 1, hi: 1 });
    expect(delta).toEqual({ center: 0, lo: 0, hi: 0 });
    expect(pValue).toBe(1);
  });

  test('are those of geometric means: 1 and 4 against 2 and 2 are level', () => {
    const level = Array.from({ length: 6 }, () => ({ a: [1, 4], b: [2, 2] }));
    expect(comparePaired(level, 'ratio').ratio?.center).toBeCloseTo(1, 12);
    expect(comparePaired(level, 'ratio').delta?.center).toBe(-0.5);
  });

  test('do not exist when a value is zero; then blocks are compared by difference', () => {
    const pairs = [...blocksWith(1.5), { a: [0, 10], b: [10, 10] }];
    const { ratio, delta, perBlock } = comparePaired(pairs, 'ratio');
    expect(ratio).toBeNull();
    expect(perBlock.at(-1)).toBe(5);
    expect(delta?.center).toBeGreaterThan(0);
  });

  test('invert when the sides are swapped, and the differences change their sign', () => {
    const value = fc.double({ min: 0.1, max: 1e6, noNaN: true });
    const pair = fc.record({
      a: fc.array(value, { minLength: 2, maxLength: 2 }),
      b: fc.array(value, { minLength: 2, maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(pair, { minLength: 6, maxLength: 20 }), (pairs) => {
        const there = comparePaired(pairs, 'ratio');
        const back = comparePaired(
          pairs.map(({ a, b }) => ({ a: b, b: a })),
          'ratio',
        );
        expect((there.ratio?.lo ?? 0) * (back.ratio?.hi ?? 0)).toBeCloseTo(1, 6);
        expect(there.delta?.center).toBeCloseTo(-(back.delta?.center ?? 0), 6);
        expect(there.pValue).toBeCloseTo(back.pValue, 12);
      }),
    );
  });
});

test('differences may be negative or zero', () => {
  const pairs = [-3, -2, -1, 0, 1, 2, 3].map((growth) => ({ a: [growth], b: [growth + 4] }));
  const { ratio, delta, perBlock } = comparePaired(pairs, 'difference');
  expect(ratio).toBeNull();
  expect(delta).toEqual({ center: 4, lo: 4, hi: 4 });
  expect(perBlock).toEqual([4, 4, 4, 4, 4, 4, 4]);
});

test('five blocks give values but no estimate', () => {
  const { ratio, delta, perBlock } = comparePaired(blocksWith(1.2).slice(0, 5), 'ratio');
  expect([ratio, delta, perBlock.length]).toEqual([null, null, 5]);
});

test('no block at all gives nothing and does not fail', () => {
  expect(comparePaired([], 'ratio')).toEqual({ ratio: null, delta: null, perBlock: [], pValue: 1 });
});
