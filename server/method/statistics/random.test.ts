/** Protects seeded random numbers: repeatable, even, and those of the published Mulberry32. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawsOf, shuffle } from './random.ts';

function drawMany(seed: number, count: number): number[] {
  const draw = drawsOf(seed);
  return Array.from({ length: count }, draw);
}

test('the same seed draws the same numbers, another seed others', () => {
  expect(drawMany(7, 5)).toEqual(drawMany(7, 5));
  expect(drawMany(7, 5)).not.toEqual(drawMany(8, 5));
});

test('the numbers are those of the published Mulberry32', () => {
  expect(drawMany(1, 3).map((value) => value * 2 ** 32)).toEqual([2693262067, 11749833, 2265367787]);
});

test('numbers lie between 0 and 1 and fill it evenly', () => {
  const counts = new Array<number>(10).fill(0);
  for (const value of drawMany(3, 20_000))
    counts[Math.floor(value * 10)] = (counts[Math.floor(value * 10)] ?? 0) + 1;
  expect(Math.min(...counts)).toBeGreaterThan(1850);
  expect(Math.max(...counts)).toBeLessThan(2150);
});

test('shuffling keeps every item and leaves the list given as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.nat(), (items, seed) => {
      const before = [...items];
      const value = shuffle(items, drawsOf(seed));
      expect(value.toSorted((a, b) => a - b)).toEqual(before.toSorted((a, b) => a - b));
      expect(items).toEqual(before);
    }),
  );
});
