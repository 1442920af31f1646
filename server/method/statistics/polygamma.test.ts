/** Protects the derivatives of ln Γ and the inverse of the second, against SciPy’s. */
import { expect, test } from 'vitest';
import { digamma, inverseTrigamma, trigamma } from './polygamma.ts';

test.each([
  // scipy 1.17.1, special.polygamma(0, x) and (1, x).
  [0.1, -10.423754940411076, 101.43329915079275],
  [0.5, -1.9635100260214235, 4.93480220054468],
  [1, -0.5772156649015329, 1.6449340668482266],
  [2, 0.42278433509846713, 0.6449340668482266],
  [2.5, 0.7031566406452432, 0.4903577561002349],
  [7.3, 1.917820335637986, 0.14679576813142703],
  [100, 4.600161852738088, 0.010050166663333573],
])('ψ(%f) and ψ′ there are those of SciPy', (x, first, second) => {
  expect(digamma(x) / first).toBeCloseTo(1, 12);
  expect(trigamma(x) / second).toBeCloseTo(1, 12);
});

test.each([
  // scipy 1.17.1, optimize.brentq of special.polygamma(1, x) − y.
  [0.02, 50.49833345551547],
  [0.2, 5.4834517798530475],
  [3.5, 0.6141327115654767],
  [50, 0.1433798123528615],
])('ψ′ is %f at %f', (y, x) => {
  expect(inverseTrigamma(y) / x).toBeCloseTo(1, 11);
});

test('far out the inverse is that of the leading term', () => {
  expect(inverseTrigamma(1e-8)).toBe(1e8);
  expect(inverseTrigamma(4e8)).toBeCloseTo(1 / 2e4, 12);
});
