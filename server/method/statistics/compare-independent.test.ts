/** Protects what is concluded from two separate runs: the interval, its coverage, and the test that goes with it. */
import { expect, test } from 'vitest';
import { simulateLaunches } from '../../testing/simulated-launches.ts';
import { launchInterval } from './intervals.ts';
import { decideOutcomes } from './outcome-decision.ts';
import { compareIndependent, type Known } from './paired.ts';

const around = (center: number, reach: number, degrees = 5): Known => ({
  ...{ center, lo: center - reach, hi: center + reach, degrees },
});

test('the interval is that of two separate estimates, and at 90 % narrower by Student’s quantiles', () => {
  const { shift, narrowShift } = compareIndependent(around(10, 3, 5), around(4, 4, 10));
  expect(shift.center).toBe(6);
  expect(shift.lo).toBeCloseTo(1, 12);
  expect(shift.hi).toBeCloseTo(11, 12);
  // Abramowitz and Stegun, table 26.10: 2.571 and 2.015 with five degrees of freedom, 2.228 and 1.812 with ten.
  const reach = Math.hypot((3 * 2.015) / 2.571, (4 * 1.812) / 2.228);
  expect(narrowShift.hi - narrowShift.center).toBeCloseTo(reach, 2);
});

test('swapping the runs negates it', () => {
  const there = compareIndependent(around(10, 3), around(4, 4));
  const back = compareIndependent(around(4, 4), around(10, 3));
  expect(back.shift.lo).toBeCloseTo(-there.shift.hi, 12);
  expect(back.pValue).toBe(there.pValue);
});

test('the p-value is at most 5 % exactly where the interval excludes no difference', () => {
  for (let reach = 0.2; reach < 6; reach += 0.1) {
    const { shift, pValue } = compareIndependent(around(10, reach, 3), around(8, 1, 7));
    expect(pValue <= 0.05).toBe(shift.lo > 0);
  }
  expect(compareIndependent(around(1, 0), around(1, 0)).pValue).toBe(1);
  expect(compareIndependent(around(2, 0), around(1, 0)).pValue).toBe(1e-5);
});

test('of three that hold alone, the later ones hold only where the one before them does at 4 %', () => {
  const evidence = (center: number) => {
    const { shift, narrowShift, pValue } = compareIndependent(around(center, 3), around(0, 4));
    return { metric, shift, narrowShift, pValue, tolerance: 0.1, refusals: [] };
  };
  const metric = { better: 'lower', primary: true } as const;
  // Quantiles with five degrees of freedom: 2.571 at 5 %, 2.757 at 4 % (scipy 1.17.1, stats.t.ppf). So reaches of 5 and 5.36.
  const words = (...centers: number[]) => decideOutcomes(centers.map(evidence)).map(({ outcome }) => outcome);
  expect(words(5.4, 5.4, 5.1)).toEqual(['overhead', 'overhead', 'overhead']);
  expect(words(5.3, 9, 9)).toEqual(['overhead', 'not_tested', 'not_tested']);
  expect(words(4.9, 9, 9)).toEqual(['inconclusive', 'not_tested', 'not_tested']);
});

test.each([
  { launches: [3, 3], spread: [0.01, 0.01] },
  { launches: [3, 8], spread: [0.01, 0.03] },
  { launches: [8, 8], spread: [0.02, 0.01] },
])(
  'of two runs that differ by nothing, with $launches launches, hardly one in twenty says otherwise',
  ({ launches: [ours = 0, theirs = 0], spread: [narrow = 0, wide = 0] }) => {
    const runs = 3000;
    const run = (seed: number, launches: number, ofLaunch: number): Known => {
      const found = launchInterval(
        simulateLaunches({ seed, launches, samples: 1, ofLaunch, ofSample: 0 }),
        0.95,
      );
      if (found === null) throw new Error('three launches have an interval');
      return found;
    };
    let alarms = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const { pValue } = compareIndependent(run(2 * seed, ours, narrow), run(2 * seed + 1, theirs, wide));
      if (pValue <= 0.05) alarms++;
    }
    // 5 % and three standard errors of 3,000 draws; an interval that leaves a run out would be far above.
    expect(alarms / runs).toBeLessThan(0.062);
    expect(alarms / runs).toBeGreaterThan(0.005);
  },
);
