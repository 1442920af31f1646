/** Protects intervals by leaving out one unit at a time. */
import { expect, test } from 'vitest';
import { estimateOf, jackknife, type Left } from './jackknife.ts';
import { meanOf } from './mean.ts';

const values = [3, 5, 4, 8, 6];
const meanWithout = (left: Left) => meanOf(values.filter((_, index) => index !== left));

test('of a mean it is Student’s interval: 5.2 ± 2.776 · √(14.8/4/5)', () => {
  const [mean] = jackknife(5, (left) => [meanWithout(left)]);
  expect(mean?.center).toBeCloseTo(5.2, 12);
  expect(mean?.reach).toBeCloseTo(2.7764451 * Math.sqrt(14.8 / 20), 6);
});

test('estimates go together, and each has its own interval', () => {
  const [mean, twice] = jackknife(5, (left) => [meanWithout(left), 2 * meanWithout(left)]);
  expect(twice?.reach).toBeCloseTo(2 * (mean?.reach ?? 0), 12);
});

test('where one unit decides whether there is an estimate, there is no interval', () => {
  const [found] = jackknife(5, (left) => [left === 3 ? Number.NaN : 1]);
  expect(found).toEqual({ center: 1, reach: null });
  expect(found === undefined ? null : estimateOf(found)).toBeNull();
  expect(estimateOf({ center: Number.NaN, reach: 1 })).toBeNull();
});
