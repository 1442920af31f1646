/** Protects the reach of the twin’s interval. */
import { expect, test } from 'vitest';
import { noiseFloor, reachOf } from './noise-floor.ts';

test('the floor is the far end of the twin’s interval, on either side, and 1 % at least', () => {
  expect(noiseFloor({ center: 1, lo: 0.998, hi: 1.003 })).toBe(0.01);
  expect(noiseFloor({ center: 1.02, lo: 1.01, hi: 1.03 })).toBeCloseTo(0.03, 12);
  expect(noiseFloor({ center: 0.98, lo: 0.95, hi: 1.01 })).toBeCloseTo(0.05, 12);
  expect(noiseFloor(null)).toBe(0.01);
});

test('no interval reaches nowhere', () => {
  expect(reachOf(null, 1)).toBe(0);
  expect(reachOf({ lo: -3, hi: 2 }, 0)).toBe(3);
});
