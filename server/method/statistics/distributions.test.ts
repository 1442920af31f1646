/** Protects what a variance borrows from earlier runs: many zeros are no certainty, and a noisy run is never narrowed by a calm past. */

import { describe, expect, test } from 'vitest';
import {
  fitBetweenLaunches,
  fPValue,
  incompleteBeta,
  moderate,
  studentPValue,
  studentQuantile,
} from './distributions.ts';

const run = (variance: number, bySamples = 0, degrees = 1) => ({ variance, bySamples, degrees });
const known = (found: ReturnType<typeof fitBetweenLaunches>) => {
  if (found === null) throw new Error('these say something');
  return found;
};

describe('what lies between launches', () => {
  test('where samples explain nothing is the mean by degrees, whose degrees add up to eight at most', () => {
    const { variance, degrees } = known(
      fitBetweenLaunches([run(1, 0, 1), run(4, 0, 2)], { variance: 2, degrees: 3 }),
    );
    expect(variance).toBeCloseTo((1 + 8 + 6) / 6, 9);
    expect(degrees).toBe(6);
    expect(known(fitBetweenLaunches(Array(20).fill(run(3)), null))).toMatchObject({ degrees: 8 });
  });
  test('is what is left of runs alike once samples have explained theirs, worth fewer degrees for it', () => {
    const { variance, degrees } = known(fitBetweenLaunches(Array(20).fill(run(3, 2)), null));
    expect(variance).toBeCloseTo(1, 9);
    expect(degrees).toBeCloseTo(20 / 9, 9);
  });
  test('is not cut at zero run by run: two launches that agree weigh against two that do not', () => {
    const { variance } = known(
      fitBetweenLaunches(
        Array.from({ length: 20 }, (_, index) => run(index % 2 === 0 ? 0 : 6, 2)),
        null,
      ),
    );
    expect(variance).toBeCloseTo(1, 9);
  });
  test('of runs that all show none is what chance would show of none, and never more than what is usual', () => {
    const calm = Array.from({ length: 18 }, () => run(0.5, 1));
    const alone = known(fitBetweenLaunches(calm, null));
    expect(alone.variance).toBeCloseTo(Math.sqrt(2 / 18), 9);
    expect(alone.degrees).toBeLessThan(2);
    const beside = known(fitBetweenLaunches(calm, { variance: 0.5, degrees: 2 }));
    expect(beside.variance).toBeGreaterThan(0);
    expect(beside.variance).toBeLessThan(0.25);
  });
  test('hardly follows a run whose samples are noisy', () => {
    const calm = Array.from({ length: 5 }, () => run(1, 0.1));
    const { variance } = known(fitBetweenLaunches([...calm, run(200, 50)], null));
    expect(variance).toBeLessThan(1.3);
  });
  test('is not known without degrees or spread, and each is of any size', () => {
    expect(fitBetweenLaunches([], null)).toBeNull();
    expect(fitBetweenLaunches([run(1, 0, 0)], null)).toBeNull();
    expect(fitBetweenLaunches([run(0), run(0), run(0)], null)).toBeNull();
    for (const scale of [1e-12, 1, 1e12]) {
      const { variance } = known(fitBetweenLaunches([run(scale), run(0), run(3 * scale, scale)], null));
      expect(Number.isFinite(variance)).toBe(true);
    }
  });
});

describe('a moderated variance', () => {
  const prior = { variance: 1e-4, degrees: 4 };
  test('is the mean of both, weighted by their degrees', () => {
    const found = moderate({ variance: 4e-4, degrees: 2 }, prior);
    expect(found?.degrees).toBe(6);
    expect(found?.variance).toBeCloseTo(2e-4, 15);
  });
  test('that is larger than its past is its own: P(F > 15.977) with 4 and 4 degrees is 1 %', () => {
    const noisy = { variance: 15.98e-4, degrees: 4 };
    expect(moderate(noisy, prior)).toEqual(noisy);
    expect(moderate({ ...noisy, variance: 15.9e-4 }, prior)?.degrees).toBe(8);
  });
  test('that is smaller than its past is larger than its own', () => {
    expect(moderate({ variance: 1e-7, degrees: 4 }, prior)?.variance).toBeCloseTo(5.005e-5, 12);
    expect(moderate({ variance: 0, degrees: 4 }, prior)?.variance).toBeCloseTo(5e-5, 15);
  });
  test('without degrees of its own is the prior’s, and without a prior its own', () => {
    expect(moderate({ variance: 0, degrees: 0 }, prior)).toEqual(prior);
    expect(moderate({ variance: 0, degrees: 0 }, null)).toBeNull();
    expect(moderate({ variance: 3, degrees: 2 }, null)).toEqual({ variance: 3, degrees: 2 });
  });
  test('with a past that is known exactly is that past’s, unless it is larger', () => {
    const certain = { variance: 1e-4, degrees: Infinity };
    expect(moderate({ variance: 2e-4, degrees: 4 }, certain)).toEqual(certain);
    // P(χ²(4)/4 > 3.3) is 1.03 %, P(χ²(4)/4 > 3.4) 0.9 %.
    expect(moderate({ variance: 3.3e-4, degrees: 4 }, certain)?.degrees).toBe(Infinity);
    expect(moderate({ variance: 3.4e-4, degrees: 4 }, certain)?.degrees).toBe(4);
  });
});

/** Protects Student’s quantiles and probabilities, against R. */

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

/** Protects the tail of the F distribution, against SciPy’s. */

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

/** Protects the incomplete beta function, against closed forms. */

test.each([
  // A polynomial: I_x(2, 3) = x² (6 − 8x + 3x²).
  [0.5, 2, 3, 0.6875],
  [0.9, 2, 3, 0.9963],
  // The arcsine law: I_x(½, ½) = 2/π · asin √x.
  [0.2, 0.5, 0.5, (2 / Math.PI) * Math.asin(Math.sqrt(0.2))],
  // I_x(a, 1) = xᵃ.
  [0.01, 30, 1, 1e-60],
])('I_%f(%f, %f) is %f', (x, a, b, expected) => {
  expect(incompleteBeta(x, a, b) / expected).toBeCloseTo(1, 12);
  expect(1 - incompleteBeta(1 - x, b, a)).toBeCloseTo(expected, 12);
});

test('it is 0 and 1 at the ends', () => {
  expect(incompleteBeta(0, 3, 4)).toBe(0);
  expect(incompleteBeta(1, 3, 4)).toBe(1);
});
