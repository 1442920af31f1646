/** Protects an estimate’s interval: what it borrows, what moves between runs, what widens it, and the p-value that agrees. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Precision, Prior } from '../../../shared/kinds/comparison/comparison.ts';
import { launchInterval } from './intervals.ts';
import { fitLaunches, launchesOf } from './pool-runs.ts';
import {
  boundsOf,
  eachLaunch,
  errorAmongRuns,
  precisionOf,
  pValueOf,
  widenedBy,
  wideningsByName,
  withTwin,
} from './precision.ts';

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
  const given = units([0.1, 0.2], [0.15, 0.12], [0.3, 0.24]);
  test('without a prior it is this run’s random effects, which are kept apart with one', () => {
    const precision = known(precisionOf(given, started));
    const fit = fitLaunches(launchesOf(given), null);
    expect(precision).toMatchObject({ ...fit, prior: null, isNoisierThanPast: false });
    expect(precision.plain).toEqual({ lo: boundsOf(precision).lo, hi: boundsOf(precision).hi });
    const moderated = known(precisionOf(given, { ...started, prior: history(1e-4) }));
    expect(moderated).toMatchObject({
      ...fitLaunches(launchesOf(given), history(1e-4)),
      prior: history(1e-4),
    });
    expect(moderated.plain).toEqual(precision.plain);
    expect(moderated.launches).toEqual(precision.launches);
    expect(precision.launches.degrees).toBe(2);
  });
  test('with one sample a launch it is Student’s over the launches', () => {
    const one = units([0.1], [0.15], [0.3]);
    const precision = known(precisionOf(one, started));
    const student = launchInterval(one, 0.95);
    expect(boundsOf(precision, 0.95).lo).toBeCloseTo(student?.lo ?? 0, 12);
    expect(pValueOf(precision)).toBeCloseTo(student?.pValue ?? 0, 12);
  });
  test('whose launches are further apart than earlier ones it borrows nothing, and says so', () => {
    const noisy = units([0.1, 0.11], [0.2, 0.21], [0.4, 0.41]);
    const precision = known(precisionOf(noisy, { ...started, prior: history(1e-6) }));
    expect(precision).toMatchObject({ prior: null, isNoisierThanPast: true });
    expect(precision.degrees).toBeCloseTo(2, 6);
  });
  test('in one launch what lies between launches is the prior’s, beside what samples vary by', () => {
    const one = known(precisionOf(units([0.1, 0.11, 0.12]), { ...started, prior: history(4e-4) }));
    expect(one.standardError).toBeCloseTo(Math.sqrt(4e-4 + 1e-4 / 3), 12);
    expect(one).toMatchObject({ launches: { degrees: 0 }, prior: history(4e-4), isNoisierThanPast: false });
    expect(one.plain?.hi).toBeCloseTo(0.11 + 4.302653 * Math.sqrt(1e-4 / 3), 7);
    const single = known(precisionOf(units([0.1]), { ...started, prior: history(4e-4) }));
    expect(single).toMatchObject({ standardError: 0.02, degrees: 4, plain: null });
  });
  test('in one launch without a prior its samples must do, three at least', () => {
    expect(known(precisionOf(units([1, 2, 4]), started)).degrees).toBe(2);
    expect(precisionOf(units([1, 2]), started)).toBeNull();
    expect(precisionOf([], { ...started, prior: history(1) })).toBeNull();
  });
});

describe('of a standing target', () => {
  const samples = [0.1, 0.11, 0.13, 0.1, 0.12, 0.1];
  test('what moves between runs is added, with degrees by Welch and Satterthwaite, and kept apart', () => {
    // For the values 1, 2 and 4: error² 7/9 with two degrees, and 2 with five: (25/9)² / ((7/9)²/2 + 4/5) = 6.9952…
    const precision = known(precisionOf(units([1, 2, 4]), { ...standing, betweenRuns: history(2, 5) }));
    expect(precision.standardError).toBeCloseTo(5 / 3, 12);
    expect(precision.degrees).toBeCloseTo((25 / 9) ** 2 / ((7 / 9) ** 2 / 2 + 4 / 5), 12);
    expect(precision.withinError).toBeCloseTo(Math.sqrt(7 / 9), 12);
    expect(precision.betweenRuns).toEqual(history(2, 5));
  });
  test('a supervisor’s restart leaves its samples what they are, and nothing to borrow', () => {
    const priors = { ...standing, prior: history(1), betweenRuns: history(1e-4) };
    const whole = known(precisionOf(units(samples), priors));
    const restarted = known(precisionOf(units(samples.slice(0, 3), samples.slice(3)), priors));
    expect(restarted).toEqual(whole);
    expect(whole).toMatchObject({ prior: null, launches: { degrees: 0 } });
  });
  test('what moves between runs is added to launches as well, and not to the error within the run', () => {
    const given = units([0.1], [0.12], [0.13]);
    const within = known(precisionOf(given, started));
    const precision = known(precisionOf(given, { ...started, betweenRuns: history(1e-4) }));
    expect(precision.standardError).toBeCloseTo(Math.hypot(within.standardError, 0.01), 12);
    expect(precision.withinError).toBe(within.withinError);
  });
});

test('whatever the units and the prior, the interval is finite, holds its center, and turns with the sides', () => {
  // Within the rounding error of a logarithm.
  const value = fc.oneof(
    fc.integer({ min: -1000, max: 1000 }).map((each) => each / 1000),
    fc.constantFrom(0, 0.1, 0.1 + 1e-16, 1e-12),
  );
  const launches = fc.array(fc.array(value, { minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 5 });
  const variance = fc.constantFrom(0, 1e-12, 1e-4, 1);
  const prior = fc.option(fc.record({ variance, degrees: fc.constantFrom(0, 0.3, 2, 8) }));
  fc.assert(
    fc.property(launches, prior, fc.boolean(), (given, earlier, isStanding) => {
      const priors = {
        ...{ standing: isStanding, betweenRuns: null },
        prior: earlier && history(earlier.variance, earlier.degrees),
      };
      const precision = precisionOf(units(...given), priors);
      if (precision === null) return;
      const { center, lo, hi } = boundsOf(precision);
      expect([center, lo, hi, precision.degrees, pValueOf(precision)].every(Number.isFinite)).toBe(true);
      expect(lo <= center && center <= hi).toBe(true);
      const turned = known(precisionOf(units(...given.map((of) => of.map((each) => -each))), priors));
      expect(boundsOf(turned).lo).toBeCloseTo(-hi, 6);
    }),
    { numRuns: 2000 },
  );
});

test('each launch has the interval of its own samples, whose variance is that of all launches together', () => {
  // Squares of 2 and 8 with one degree each; t with two degrees.
  const [first, second] = eachLaunch(units([1, 3], [4, 8]));
  expect(first).toMatchObject({ launch: 0, center: 2 });
  expect((second?.hi ?? 0) - 6).toBeCloseTo(4.302653 * Math.sqrt(5 / 2), 5);
  expect((first?.hi ?? 0) - 2).toBeCloseTo((second?.hi ?? 0) - 6, 12);
  expect(eachLaunch(units([0.2], [0.4]))).toEqual([
    { launch: 0, center: 0.2, lo: 0.2, hi: 0.2 },
    { launch: 1, center: 0.4, lo: 0.4, hi: 0.4 },
  ]);
  expect(eachLaunch([])).toEqual([]);
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
  test('exclude zero at a confidence exactly where p is below what that leaves', () => {
    const widths = fc.double({ min: 0, max: 0.2, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: -0.3, max: 0.3, noNaN: true }), widths, widths, (center, error, by) => {
        const given = {
          ...{ center, standardError: error, degrees: 4.5 },
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

describe('the twin', () => {
  const precision = known(precisionOf(units([0.1], [0.12], [0.13], [0.11]), started));
  test('adds half of what it certainly deviates by, to the bounds and the p-value', () => {
    for (const center of [0.04, -0.04]) {
      const off = withTwin(precision, { center, lo: center - 0.01, hi: center + 0.01 });
      expect(off.widenings).toEqual([{ name: 'twin', by: 0.02 }]);
      expect(boundsOf(off, 0.9).hi).toBeCloseTo(boundsOf(precision, 0.9).hi + 0.02, 12);
      expect(pValueOf(off)).toBeGreaterThan(pValueOf(precision));
    }
  });
  test('that is merely wide, or absent, changes nothing, even where it covers the result', () => {
    expect(withTwin(precision, { center: 0.1, lo: -0.2, hi: 0.4 })).toEqual(precision);
    expect(withTwin(precision, null)).toEqual(precision);
  });
});

test('each widening counts under its name, and half of all of them as an error among runs', () => {
  const widenings: Precision['widenings'] = [
    { name: 'drift', by: 0.004 },
    { name: 'twin', by: 0.006 },
  ];
  expect(wideningsByName({ widenings })).toEqual({ drift: 0.004, twin: 0.006, 'carry-over': 0 });
  expect(widenedBy({ widenings })).toBeCloseTo(0.01, 12);
  expect(errorAmongRuns({ withinError: 0.03, widened: 0 })).toBe(0.03);
  expect(errorAmongRuns({ withinError: 0.03, widened: 0.08 })).toBeCloseTo(0.05, 12);
});
