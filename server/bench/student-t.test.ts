/** Protects the t intervals that benches compare with, against SciPy’s. */
import { expect, test } from 'vitest';
import reference from './reference/scipy-shares-and-means.json' with { type: 'json' };
import { pairedInterval, tQuantile, welchInterval } from './student-t.ts';

test.each(reference.paired)(
  'paired, $values at $confidence: SciPy’s interval',
  ({ values, confidence, ...expected }) => {
    expectEstimate(pairedInterval(values, confidence), expected);
  },
);

test.each(reference.welch)(
  'Welch, $a against $b at $confidence: SciPy’s interval',
  ({ a, b, confidence, ...expected }) => {
    expectEstimate(welchInterval(a, b, confidence), expected);
  },
);

test('with one degree of freedom t is the tangent of Cauchy’s distribution', () => {
  expect(tQuantile(0.5, 1)).toBeCloseTo(1, 12);
  expect(tQuantile(0.95, 1)).toBeCloseTo(Math.tan(0.475 * Math.PI), 9);
});

test('one value has no interval, equal values one without width', () => {
  expect(pairedInterval([1])).toBeNull();
  expect(welchInterval([1, 2], [1])).toBeNull();
  expect(pairedInterval([2, 2, 2])).toEqual({ center: 2, lo: 2, hi: 2 });
});

type Expected = { center: number; lo: number; hi: number };

function expectEstimate(interval: Expected | null, { center, lo, hi }: Expected): void {
  expect(interval?.center).toBeCloseTo(center, 12);
  expect(interval?.lo).toBeCloseTo(lo, 11);
  expect(interval?.hi).toBeCloseTo(hi, 11);
}
