/** Protects the interval over launches: its numbers, its coverage, and what it needs. */
import { describe, expect, test } from 'vitest';
import { launchInterval } from './launch-interval.ts';

const units = (...launches: number[][]) =>
  launches.flatMap((values, launch) => values.map((value) => ({ launch, value })));

describe('over launches', () => {
  test('the interval is Student’s over the means of the launches, however many units each has', () => {
    // Of 1, 2 and 4: error √(7/9), t √7, and with two degrees of freedom P is 1 − √7 / √(2 + 7), the quantile 4.302653.
    const interval = launchInterval(units([0, 1, 2], [2], [3, 5]), 0.95);
    expect(interval?.center).toBeCloseTo(7 / 3, 12);
    expect(interval?.lo).toBeCloseTo(7 / 3 - 4.302653 * Math.sqrt(7 / 9), 5);
    expect(interval?.hi).toBeCloseTo(7 / 3 + 4.302653 * Math.sqrt(7 / 9), 5);
    expect(interval?.pValue).toBeCloseTo(1 - Math.sqrt(7) / 3, 12);
    expect(interval?.degrees).toBe(2);
    expect(interval?.standardError).toBeCloseTo(Math.sqrt(7 / 9), 12);
  });
  test('swapping the sides negates it, and another unit scales it', () => {
    const given = units([0.1, 0.2], [0.15], [0.3]);
    const interval = launchInterval(given, 0.9);
    const negated = launchInterval(
      given.map(({ launch, value }) => ({ launch, value: -3 * value })),
      0.9,
    );
    expect(negated?.center).toBeCloseTo(-3 * (interval?.center ?? 0), 12);
    expect(negated?.lo).toBeCloseTo(-3 * (interval?.hi ?? 0), 12);
    expect(negated?.hi).toBeCloseTo(-3 * (interval?.lo ?? 0), 12);
    expect(negated?.pValue).toBeCloseTo(interval?.pValue ?? 0, 12);
  });
  test('without spread there is nothing to be uncertain about', () => {
    expect(launchInterval(units([2], [2]), 0.95)).toMatchObject({ center: 2, lo: 2, hi: 2, pValue: 0 });
    expect(launchInterval(units([0], [0]), 0.95)).toMatchObject({ center: 0, pValue: 1 });
  });
});

describe('with one launch', () => {
  test('its units stand in', () => {
    expect(launchInterval(units([1, 2, 4]), 0.95)).toEqual(launchInterval(units([1], [2], [4]), 0.95));
  });
  test('fewer than three have no interval', () => {
    expect(launchInterval(units([1, 2]), 0.95)).toBeNull();
    expect(launchInterval([], 0.95)).toBeNull();
  });
});
