/** Protects what widened an interval: every cause under its name, and as an error among other runs. */
import { expect, test } from 'vitest';
import type { Precision } from '../../../shared/kinds/comparison/precision.ts';
import { boundsOf } from './precision.ts';
import { errorAmongRuns, widenedBy, wideningsByName } from './widenings.ts';

const precision: Precision = {
  ...{ center: 0.3, standardError: 0.01, degrees: 4, withinError: 0.01 },
  own: { variance: 0.0005, degrees: 4 },
  ...{ prior: null, isNoisierThanPast: false, betweenRuns: null, plain: null },
  widenings: [
    { name: 'drift', by: 0.004 },
    { name: 'twin', by: 0.006 },
  ],
  atLeast: null,
};

test('each widening counts under its name', () => {
  expect(wideningsByName(precision)).toEqual({ drift: 0.004, twin: 0.006, 'carry-over': 0 });
  expect(widenedBy(precision)).toBeCloseTo(0.01, 12);
});

test('what the interval reaches for the sake of the twin is the twin’s', () => {
  const { hi } = boundsOf(precision, 0.95);
  const wide = { ...precision, atLeast: { lo: -0.2, hi: hi - 0.001 } };
  const { lo } = boundsOf(precision, 0.95);
  expect(wideningsByName(wide).twin).toBeCloseTo(0.006 + (lo + 0.2), 12);
  expect(wideningsByName({ ...precision, atLeast: { lo: 0.299, hi: 0.301 } }).twin).toBeCloseTo(0.006, 12);
});

test('an error among runs has half of what widened the interval in it', () => {
  expect(errorAmongRuns({ withinError: 0.03, widened: 0 })).toBe(0.03);
  expect(errorAmongRuns({ withinError: 0.03, widened: 0.08 })).toBeCloseTo(0.05, 12);
});
