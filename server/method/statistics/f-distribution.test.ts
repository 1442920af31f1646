/** Protects the tail of the F distribution, against SciPy’s. */
import { expect, test } from 'vitest';
import { fPValue } from './f-distribution.ts';
import { studentPValue } from './student-t.ts';

test.each([
  // scipy 1.17.1, stats.f.sf.
  [4, 4, 4, 0.10400000000000005],
  [15.977, 4, 4, 0.010000028679583998],
  [0.5, 3, 7, 0.6940363875688137],
  [21.2, 1, 4, 0.009998110862011229],
  [2.5, 2.5, 4, 0.19833823929044422],
  [3.2, 4, 200, 0.014186236863953554],
])('P(F > %f) with %f and %f degrees of freedom is that of SciPy', (f, above, below, expected) => {
  expect(fPValue(f, [above, below])).toBeCloseTo(expected, 12);
});

test('against a known variance it is the tail of χ²/ν', () => {
  // scipy 1.17.1, stats.chi2.sf(3.3 * 4, 4).
  expect(fPValue(3.3, [4, Infinity])).toBeCloseTo(0.010338797085363992, 6);
});

test('with one degree above it is Student’s t, squared', () => {
  expect(fPValue(2.3 ** 2, [1, 6])).toBeCloseTo(studentPValue(2.3, 6), 13);
});

test('of nothing, everything lies above', () => {
  expect(fPValue(0, [3, 4])).toBe(1);
});
