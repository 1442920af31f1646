/** Protects the pooled figure of several runs: metafor’s numbers, and that more runs do not end in a wider interval. */
import { describe, expect, test } from 'vitest';
import { drawNormal } from '../../testing/draws.ts';
import { poolRuns } from './pool-runs.ts';
import { drawsOf } from './random.ts';

/** The BCG vaccine trials of metafor (dat.bcg), log relative risk and its standard error by escalc(measure = "RR"). */
const trials = [
  [-0.8893113339, 0.5706003549],
  [-1.5853886572, 0.4411135017],
  [-1.3480731483, 0.6444904696],
  [-1.44155119, 0.1414568199],
  [-0.2175473222, 0.2262966464],
  [-0.7861155858, 0.0831000509],
  [-1.6208982236, 0.4722470197],
  [0.0119523335, 0.062941078],
  [-0.4694176487, 0.2375588568],
  [-1.3713448035, 0.2702310005],
  [-0.3393588283, 0.1114101161],
  [0.4459134006, 0.729729981],
  [-0.0173139482, 0.2672165034],
].map(([center = 0, error = 0]) => ({ center, error }));

describe('without a prior', () => {
  test('it is metafor’s restricted maximum likelihood with the interval of Knapp and Hartung', () => {
    // metafor: rma(yi, vi, data = dat, test = "knha"): tau² 0.3132, −0.7145, se 0.1808, −1.1084 to −0.3206; more digits by
    // maximizing the restricted likelihood with scipy 1.17.1.
    const pooled = poolRuns(trials);
    expect(pooled?.between).toBeCloseTo(0.3132433, 6);
    expect(pooled?.center).toBeCloseTo(-0.71453234, 6);
    expect(pooled?.standardError).toBeCloseTo(0.18079174, 6);
    expect(pooled?.lo).toBeCloseTo(-1.10844371, 6);
    expect(pooled?.hi).toBeCloseTo(-0.32062097, 6);
    expect(pooled).toMatchObject({ degrees: 12, runs: 13 });
  });
  test('runs closer together than their errors allow are no surer than their errors', () => {
    const pooled = poolRuns([0.1, 0.1001, 0.1002].map((center) => ({ center, error: 0.01 })));
    expect(pooled?.between).toBe(0);
    expect(pooled?.standardError).toBeCloseTo(0.01 / Math.sqrt(3), 12);
  });
  test('runs that claim no error are averaged by their spread', () => {
    // 1, 2 and 4: variance 7/3, Student's with two degrees.
    const pooled = poolRuns([1, 2, 4].map((center) => ({ center, error: 0 })));
    expect(pooled?.between).toBeCloseTo(7 / 3, 9);
    expect(pooled?.hi).toBeCloseTo(7 / 3 + 4.302653 * Math.sqrt(7 / 9), 5);
  });
});

describe('with a prior of what moves between runs', () => {
  const prior = { variance: 4e-4, degrees: 4 };
  test('two runs are surer together than one alone', () => {
    const two = [0.4, 0.41].map((center) => ({ center, error: 0.01 }));
    const pooled = poolRuns(two, prior);
    // (4 · 4e-4 + 0) / 5 between; error² (1e-4 + 3.2e-4) / 2; Student's with five degrees, 2.570582.
    expect(pooled?.between).toBeCloseTo(3.2e-4, 12);
    expect(pooled?.hi).toBeCloseTo(0.405 + 2.570582 * Math.sqrt(2.1e-4), 7);
    const alone = 2.7 * Math.sqrt(1e-4 + 4e-4);
    expect((pooled?.hi ?? 1) - 0.405).toBeLessThan(alone);
    expect((poolRuns(two)?.hi ?? 0) - 0.405).toBeGreaterThan(alone);
  });
  test('runs that lie far apart widen it with the degrees of both, so that two of them still say something', () => {
    const apart = [0.3, 0.5].map((center) => ({ center, error: 0.01 }));
    const pooled = poolRuns(apart, prior);
    // Their variance of 0.02 less error² is between: (4 · 4e-4 + 0.0199) / 5; Student's with five degrees.
    expect(pooled?.between).toBeCloseTo(0.0043, 6);
    expect(pooled?.hi).toBeCloseTo(0.4 + 2.570582 * Math.sqrt((0.0043 + 1e-4) / 2), 5);
    expect(poolRuns(apart)?.hi).toBeGreaterThan(1.5);
  });
  test('it covers the truth in 94 % of the cases at least', () => {
    for (const count of [2, 5]) {
      let covered = 0;
      const cases = 1500;
      for (let seed = 1; seed <= cases; seed++) {
        const draw = drawsOf(Math.imul(seed, 0x9e3779b1));
        const runs = Array.from({ length: count }, () => ({
          center: 0.02 * drawNormal(draw) + 0.01 * drawNormal(draw),
          error: 0.01,
        }));
        const pooled = poolRuns(runs, prior);
        if (pooled !== null && pooled.lo <= 0 && pooled.hi >= 0) covered++;
      }
      expect(covered / cases).toBeGreaterThan(0.94);
    }
  });
});

test('one run is not pooled', () => {
  expect(poolRuns([{ center: 1, error: 0.1 }])).toBeNull();
  expect(poolRuns([])).toBeNull();
});
