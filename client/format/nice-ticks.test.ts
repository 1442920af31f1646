/** Protects axes that are not drawn by Chart.js from odd or missing labels. */
import { expect, test } from 'vitest';
import { niceTicks } from './nice-ticks.ts';

test('ticks are round, evenly spaced and within the range', () => {
  expect(niceTicks(-0.012, 0.252, 4)).toEqual([0, 0.1, 0.2]);
  expect(niceTicks(-0.31, 0.11, 4)).toEqual([-0.2, 0]);
  expect(niceTicks(-0.0021, 0.0079, 4)).toEqual([0, 0.005]);
  expect(niceTicks(-0.03, 0.03, 4)).toEqual([-0.02, 0, 0.02]);
});
