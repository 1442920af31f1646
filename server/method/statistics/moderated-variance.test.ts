/** Protects what a variance borrows from earlier runs: many zeros are no certainty, and a noisy run is never narrowed by a calm past. */
import { describe, expect, test } from 'vitest';
import { fitBetweenLaunches, moderate } from './moderated-variance.ts';

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
