/** Protects the incomplete beta function, against closed forms. */
import { expect, test } from 'vitest';
import { incompleteBeta } from './incomplete-beta.ts';

test.each([
  // A polynomial: I_x(2, 3) = x² (6 − 8x + 3x²).
  [0.5, 2, 3, 0.6875],
  [0.9, 2, 3, 0.9963],
  // The arcsine law: I_x(½, ½) = 2/π · asin √x.
  [0.2, 0.5, 0.5, (2 / Math.PI) * Math.asin(Math.sqrt(0.2))],
  // I_x(a, 1) = xᵃ.
  [0.01, 30, 1, 1e-60],
])('I_%f(%f, %f) is %f', (x, a, b, expected) => {
  expect(incompleteBeta(x, a, b) / expected).toBeCloseTo(1, 12);
  expect(1 - incompleteBeta(1 - x, b, a)).toBeCloseTo(expected, 12);
});

test('it is 0 and 1 at the ends', () => {
  expect(incompleteBeta(0, 3, 4)).toBe(0);
  expect(incompleteBeta(1, 3, 4)).toBe(1);
});
