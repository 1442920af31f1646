/** Protects the signed-rank distribution, against printed tables. */
import { describe, expect, test } from 'vitest';
import { exactUpTo, signedRankProbability, signedRankQuantile } from './paired.ts';

describe('the exact distribution', () => {
  test('of three ranks counts the subsets of 1, 2, 3 by their sum', () => {
    const cumulative = [1, 2, 3, 5, 6, 7, 8].map((count) => count / 8);
    expect([0, 1, 2, 3, 4, 5, 6].map((sum) => signedRankProbability([1, 2, 3], sum))).toEqual(cumulative);
  });
  test('of tied ranks counts each of the equal ones: 1½, 1½, 3', () => {
    expect([0, 1, 1.5, 3, 4.5, 6].map((sum) => signedRankProbability([1.5, 1.5, 3], sum))).toEqual(
      [1, 1, 3, 5, 7, 8].map((count) => count / 8),
    );
  });
});

describe('the quantile', () => {
  test.each([
    [5, 0.025, -1],
    [6, 0.025, 0],
    [8, 0.025, 3],
    [10, 0.025, 8],
    [12, 0.025, 13],
    [20, 0.025, 52],
    [30, 0.005, 109],
  ])('of %i differences in a tail of %d is %i, as printed tables have it', (n, tail, expected) => {
    expect(signedRankQuantile(n, tail)).toBe(expected);
  });
});

describe('above sixty differences', () => {
  // Counted out in whole numbers, over all 2^n patterns.
  test.each([
    [exactUpTo + 1, 0.0175, 652],
    [exactUpTo + 1, 0.025, 672],
    [100, 0.0175, 1912],
    [100, 0.025, 1955],
  ])('the quantile of %i in a tail of %d is within one of the exact %i', (n, tail, exact) => {
    expect(Math.abs(signedRankQuantile(n, tail) - exact)).toBeLessThanOrEqual(1);
  });
});
