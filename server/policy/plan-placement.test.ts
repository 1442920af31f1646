/** Protects placement: generator and target never share a core, and each has one. */
import { expect, test } from 'vitest';
import { planAround, planPlacement } from './plan-placement.ts';

test.each([
  [[0, 1], 1, { generator: [1], target: [0] }],
  [[0, 1], 4, { generator: [1], target: [0] }],
  [[2, 5, 6, 7, 9, 10], 2, { generator: [9, 10], target: [2, 5, 6, 7] }],
])('of the cores %j, %i generators take the last ones', (cores, generators, placement) => {
  expect(planPlacement(cores, generators)).toEqual(placement);
});

test.each([[[]], [[3]]])('with the cores %j nothing can be kept apart', (cores) => {
  expect(planPlacement(cores, 1)).toBeNull();
});

test('a generator keeps to the cores that a target which is not ours leaves free', () => {
  expect(planAround([0, 2], [0, 1, 2, 3], 1)).toEqual({ generator: [3], target: [0, 2] });
  expect(planAround([0], [0, 1], 4)).toEqual({ generator: [1], target: [0] });
  expect(planAround([0, 1], [0, 1], 1)).toBeNull();
  expect(planAround([], [0, 1], 1)).toBeNull();
});
