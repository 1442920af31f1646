/** Protects Student’s quantiles and probabilities, against R. */
import { expect, test } from 'vitest';
import { studentPValue, studentQuantile } from './student-t.ts';

/** P(|T| < t) for whole degrees of freedom: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4. */
function within(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= ((power - 1) / power) * Math.cos(angle) ** 2;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}

test.each([1, 2, 3, 4, 5, 7, 10, 29, 120])(
  'with %i degrees of freedom P is that of its finite sum',
  (degrees) => {
    for (const t of [0, 0.01, 0.7, 1, 2, 4, 30]) {
      expect(studentPValue(t, degrees)).toBeCloseTo(1 - within(t, degrees), 12);
      expect(studentPValue(-t, degrees)).toBe(studentPValue(t, degrees));
    }
  },
);

test.each([
  // The same book, table 26.10.
  [1, 12.706, 63.657],
  [2, 4.303, 9.925],
  [3, 3.182, 5.841],
  [5, 2.571, 4.032],
  [10, 2.228, 3.169],
  [30, 2.042, 2.75],
])('with %i degrees of freedom the quantiles are those of the table', (degrees, at95, at99) => {
  expect(studentQuantile(0.95, degrees)).toBeCloseTo(at95, 3);
  expect(studentQuantile(0.99, degrees)).toBeCloseTo(at99, 3);
});

test('the quantile undoes the probability', () => {
  for (const degrees of [1, 2, 6, 41]) {
    for (const confidence of [0.1, 0.9, 0.95, 0.999]) {
      const t = studentQuantile(confidence, degrees);
      expect(studentPValue(t, degrees)).toBeCloseTo(1 - confidence, 13);
    }
  }
});

test('with very many degrees of freedom it is the normal distribution', () => {
  expect(studentQuantile(0.95, 1e7)).toBeCloseTo(1.959964, 6);
});
