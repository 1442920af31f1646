/** Protects what a twin adds to an interval: its own deviation, or its own width, and never a refusal. */
import { describe, expect, test } from 'vitest';
import { boundsOf, precisionOf, pValueOf } from './precision.ts';
import { twinWidening, withTwin } from './twin-widening.ts';

/** Percentages on the logarithm, the center in the middle unless said otherwise. */
const log = (percent: number) => Math.log1p(percent / 100);
const interval = (lo: number, hi: number, center?: number) => ({
  center: center === undefined ? (log(lo) + log(hi)) / 2 : log(center),
  ...{ lo: log(lo), hi: log(hi) },
});
const percent = (value: number) => 100 * Math.expm1(value);
const excludesZero = ({ lo, hi }: { lo: number; hi: number }) => lo > 0 || hi < 0;

function widen(result: ReturnType<typeof interval>, twin: ReturnType<typeof interval> | null) {
  const { by, atLeast } = twinWidening(result.center, twin);
  return {
    lo: Math.min(result.lo - by, atLeast?.lo ?? Infinity),
    hi: Math.max(result.hi + by, atLeast?.hi ?? -Infinity),
  };
}

describe('cases from practice', () => {
  test('a 90th percentile of +7 to +51 % beside a twin of −45 to +80 % is no difference', () => {
    const widened = widen(interval(7, 51), interval(-45, 80));
    expect(percent(widened.lo)).toBeCloseTo(-45, 9);
    expect(percent(widened.hi)).toBeCloseTo(80, 9);
  });
  test('a throughput of −40 % beside a twin of −22 to −5 % stays a difference, wider by half the twin’s', () => {
    const [result, twin] = [interval(-44, -36, -40), interval(-22, -5)];
    const widened = widen(result, twin);
    expect(widened.lo).toBeCloseTo(result.lo + twin.center / 2, 12);
    expect(widened.hi).toBeCloseTo(result.hi - twin.center / 2, 12);
    expect(excludesZero(widened)).toBe(true);
  });
  test('+17 % beside a twin of +1.0 %, or of −1.0 %, that is certain stays a difference', () => {
    for (const twin of [interval(0.2, 1.8, 1), interval(-1.8, -0.2, -1)]) {
      const widened = widen(interval(15, 19, 17), twin);
      expect(percent(widened.lo)).toBeCloseTo(14.4, 0);
      expect(percent(widened.hi)).toBeCloseTo(19.6, 0);
    }
  });
});

test('a twin around nothing that does not reach the result changes nothing', () => {
  const result = interval(10, 12);
  expect(widen(result, interval(-1, 1))).toEqual({ lo: result.lo, hi: result.hi });
  expect(widen(result, null)).toEqual({ lo: result.lo, hi: result.hi });
});

test('a result that the twin’s own deviation explains is no difference', () => {
  expect(excludesZero(widen(interval(-3.5, -2.5), interval(-5, -2)))).toBe(false);
});

test('a result keeps what it has beyond the twin', () => {
  const widened = widen(interval(-2, 30, 3), interval(-4, 4));
  expect(percent(widened.lo)).toBeCloseTo(-4, 9);
  expect(percent(widened.hi)).toBeCloseTo(30, 9);
});

test('a record is widened with its p-value, at every confidence', () => {
  const units = [0.1, 0.12, 0.13, 0.11].map((value, launch) => ({ launch, value }));
  const precision = precisionOf(units, { standing: false, prior: null, betweenRuns: null });
  if (precision === null) throw new Error('four launches have a precision');
  const off = withTwin(precision, { center: -0.04, lo: -0.05, hi: -0.03 });
  expect(off.widenings).toEqual([{ name: 'twin', by: 0.02 }]);
  expect(boundsOf(off, 0.9).hi).toBeCloseTo(boundsOf(precision, 0.9).hi + 0.02, 12);
  expect(pValueOf(off)).toBeGreaterThan(pValueOf(precision));
  const wide = withTwin(precision, { center: 0.1, lo: -0.2, hi: 0.4 });
  expect(boundsOf(wide, 0.9)).toMatchObject({ lo: -0.2, hi: 0.4 });
  expect(pValueOf(wide)).toBe(1);
  expect(withTwin(precision, null)).toEqual(precision);
});
