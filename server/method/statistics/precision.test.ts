/** Protects an estimate’s interval: what it borrows, what moves between runs, what widens it, and the p-value that agrees. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Precision, Prior } from '../../../shared/kinds/comparison/precision.ts';
import { launchInterval } from './launch-interval.ts';
import { boundsOf, precisionOf, pValueOf } from './precision.ts';

const units = (...launches: number[][]) =>
  launches.flatMap((values, launch) => values.map((value) => ({ launch, value })));
const history = (variance: number, degrees = 4): Prior => ({ variance, degrees, runs: 6, from: 'history' });
const started = { standing: false, prior: null, betweenRuns: null };
const standing = { ...started, standing: true };

function known(precision: Precision | null): Precision {
  if (precision === null) throw new Error('this has a precision');
  return precision;
}

describe('of a target that is started', () => {
  const given = units([0.1, 0.2], [0.15], [0.3]);
  test('without a prior it is Student’s over the launches', () => {
    const precision = known(precisionOf(given, started));
    const student = launchInterval(given, 0.95);
    expect(boundsOf(precision, 0.95).lo).toBeCloseTo(student?.lo ?? 0, 12);
    expect(boundsOf(precision, 0.95).hi).toBeCloseTo(student?.hi ?? 0, 12);
    expect(pValueOf(precision)).toBeCloseTo(student?.pValue ?? 0, 12);
    expect(precision).toMatchObject({ prior: null, isNoisierThanPast: false });
    expect(precision.plain?.lo).toBeCloseTo(student?.lo ?? 0, 12);
  });
  test('with a prior its variance is moderated, and its own and the plain interval are kept', () => {
    // Own variance of 1, 2 and 4: 7/3 with two degrees. (4 · 1 + 2 · 7/3) / 6 = 13/9.
    const precision = known(precisionOf(units([1], [2], [4]), { ...started, prior: history(1) }));
    expect(precision.standardError).toBeCloseTo(Math.sqrt(13 / 27), 12);
    expect(precision).toMatchObject({ degrees: 6, prior: history(1), own: { degrees: 2 } });
    expect(precision.own.variance).toBeCloseTo(7 / 3, 12);
    expect(precision.plain?.hi).toBeCloseTo(7 / 3 + 4.302653 * Math.sqrt(7 / 9), 5);
    expect(boundsOf(precision, 0.95).hi).toBeCloseTo(7 / 3 + 2.446912 * Math.sqrt(13 / 27), 5);
  });
  test('that is noisier than its past it keeps its own variance, and says so', () => {
    const noisy = units([0.1], [0.2], [0.4]);
    const precision = known(precisionOf(noisy, { ...started, prior: history(1e-6) }));
    expect(precision).toMatchObject({ prior: null, isNoisierThanPast: true, degrees: 2 });
  });
  test('in one launch it is the prior’s alone, but never surer than the epochs', () => {
    const one = known(precisionOf(units([0.1, 0.11, 0.12]), { ...started, prior: history(4e-4) }));
    expect(one).toMatchObject({ standardError: 0.02, degrees: 4, own: { degrees: 0 }, plain: null });
    const rough = known(precisionOf(units([0, 0.1, 0.5]), { ...started, prior: history(4e-4) }));
    expect(rough).toMatchObject({ prior: null, isNoisierThanPast: true, degrees: 2 });
  });
  test('in one launch without a prior its epochs must do, three at least', () => {
    expect(known(precisionOf(units([1, 2, 4]), started)).degrees).toBe(2);
    expect(precisionOf(units([1, 2]), started)).toBeNull();
    expect(precisionOf([], { ...started, prior: history(1) })).toBeNull();
  });
});

describe('of a standing target', () => {
  const epochs = [0.1, 0.11, 0.13, 0.1, 0.12, 0.1];
  test('what moves between runs is added, with degrees by Welch and Satterthwaite, and kept apart', () => {
    // Of 1, 2 and 4: error² 7/9 with two degrees, and 2 with five: (25/9)² / ((7/9)²/2 + 4/5) = 6.9952…
    const precision = known(precisionOf(units([1, 2, 4]), { ...standing, betweenRuns: history(2, 5) }));
    expect(precision.standardError).toBeCloseTo(5 / 3, 12);
    expect(precision.degrees).toBeCloseTo((25 / 9) ** 2 / ((7 / 9) ** 2 / 2 + 4 / 5), 12);
    expect(precision.withinError).toBeCloseTo(Math.sqrt(7 / 9), 12);
    expect(precision.betweenRuns).toEqual(history(2, 5));
  });
  test('a supervisor’s restart does not end in Student’s t with one degree', () => {
    const priors = { ...standing, betweenRuns: history(1e-4) };
    const whole = known(precisionOf(units(epochs), priors));
    const restarted = known(precisionOf(units(epochs.slice(0, 3), epochs.slice(3)), priors));
    expect(restarted).toEqual(whole);
    expect(known(precisionOf(units(epochs.slice(0, 3), epochs.slice(3)), started)).degrees).toBe(1);
  });
  test('two epochs have an interval where earlier ones are known', () => {
    expect(precisionOf(units([0.1, 0.12]), standing)).toBeNull();
    expect(known(precisionOf(units([0.1, 0.12]), { ...standing, prior: history(1e-4) })).degrees).toBe(5);
  });
  test('what moves between runs is added to launches as well, and not to the error within the run', () => {
    const given = units([0.1], [0.12], [0.13]);
    const within = known(precisionOf(given, started));
    const precision = known(precisionOf(given, { ...started, betweenRuns: history(1e-4) }));
    expect(precision.standardError).toBeCloseTo(Math.hypot(within.standardError, 0.01), 12);
    expect(precision.withinError).toBe(within.withinError);
  });
});

describe('the bounds', () => {
  const precision = known(precisionOf(units([0.1], [0.12], [0.13], [0.11]), started));
  test('are widened on both sides by the sum, whatever the confidence', () => {
    const widened = {
      ...precision,
      widenings: [{ name: 'drift', by: 0.01 } as const, { name: 'twin', by: 0.02 } as const],
    };
    for (const confidence of [0.9, 0.95]) {
      expect(boundsOf(widened, confidence).hi).toBeCloseTo(boundsOf(precision, confidence).hi + 0.03, 12);
      expect(boundsOf(widened, confidence).lo).toBeCloseTo(boundsOf(precision, confidence).lo - 0.03, 12);
    }
    expect(pValueOf({ ...precision, widenings: [{ name: 'twin', by: 1 }] })).toBe(1);
  });
  test('hold what they must', () => {
    const held = { ...precision, atLeast: { lo: -0.2, hi: 0.05 } };
    expect(boundsOf(held, 0.95)).toMatchObject({ lo: -0.2, hi: boundsOf(precision, 0.95).hi });
    expect(pValueOf(held)).toBe(1);
  });
  test('exclude zero at a confidence exactly where p is below what that leaves', () => {
    const widths = fc.double({ min: 0, max: 0.2, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: -0.3, max: 0.3, noNaN: true }), widths, widths, (center, error, by) => {
        const given = {
          ...{ center, standardError: error, degrees: 4.5, atLeast: null },
          widenings: [{ name: 'drift', by } as const],
        };
        for (const confidence of [0.9, 0.95, 0.96]) {
          const { lo, hi } = boundsOf(given, confidence);
          expect(lo > 1e-9 || hi < -1e-9 ? pValueOf(given) < 1 - confidence : true).toBe(true);
          expect(lo < -1e-9 && hi > 1e-9 ? pValueOf(given) > 1 - confidence : true).toBe(true);
        }
      }),
    );
  });
  test('without spread are a point', () => {
    const point = known(precisionOf(units([2], [2]), started));
    expect(boundsOf(point, 0.95)).toEqual({ center: 2, lo: 2, hi: 2 });
    expect(pValueOf(point)).toBe(0);
    expect(pValueOf({ ...point, center: 0 })).toBe(1);
  });
});
