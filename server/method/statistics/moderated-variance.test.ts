/** Protects what a variance borrows from earlier runs: limma’s prior, and that a noisy run is never narrowed by a calm past. */
import { describe, expect, test } from 'vitest';
import { fitPrior, moderate } from './moderated-variance.ts';

const of = (variances: number[], degrees: number[]) =>
  variances.map((variance, index) => ({ variance, degrees: degrees[index] ?? 4 }));

describe('the prior', () => {
  // By the lines of limma's fitFDist in NumPy 2 with scipy 1.17.1: special.digamma, special.polygamma, optimize.brentq.
  test('of variances that differ is limma’s', () => {
    const prior = fitPrior(of([1.2e-4, 0.3e-4, 8e-4, 2e-4, 0.9e-4, 25e-4], []));
    expect(prior?.variance).toBeCloseTo(0.0001549165813537751, 12);
    expect(prior?.degrees).toBeCloseTo(1.8153694871556745, 9);
  });
  test('takes each variance with its own degrees', () => {
    const prior = fitPrior(of([1.2e-4, 0.3e-4, 8e-4], [4, 7, 4]));
    expect(prior?.variance).toBeCloseTo(8.38871689446169e-5, 12);
    expect(prior?.degrees).toBeCloseTo(1.569143614197377, 9);
  });
  test('offsets a variance of zero by 1e-5 of the median', () => {
    const prior = fitPrior(of([1, 0, 40, 0.02, 3], [4, 2, 7, 4, 4]));
    expect(prior?.variance).toBeCloseTo(0.0024826762197832815, 10);
    expect(prior?.degrees).toBeCloseTo(0.35827505535283466, 9);
  });
  test('of variances as alike as chance allows is their mean, with no more degrees than the cap', () => {
    const prior = fitPrior(of([1e-4, 1.1e-4, 0.9e-4, 1.05e-4], []));
    expect(prior?.variance).toBeCloseTo(1.0125e-4, 15);
    expect(prior?.degrees).toBe(4);
  });
  test('needs three variances, and one above zero', () => {
    expect(fitPrior(of([1e-4, 2e-4], []))).toBeNull();
    expect(fitPrior(of([1e-4, 2e-4, 3e-4], [4, 4, 0]))).toBeNull();
    expect(fitPrior(of([0, 0, 0], []))).toBeNull();
    expect(fitPrior(of([0, 0, 2e-4], []))?.variance).toBeGreaterThan(0);
  });
});

describe('a moderated variance', () => {
  const prior = { variance: 1e-4, degrees: 4 };
  test('is the mean of both, weighted by their degrees', () => {
    const found = moderate({ variance: 4e-4, degrees: 2 }, prior);
    expect(found).toMatchObject({ degrees: 6, borrowed: true });
    expect(found?.variance).toBeCloseTo(2e-4, 15);
  });
  test('of a run noisier than its past is its own: P(F > 15.977) with 4 and 4 degrees is 1 %', () => {
    const noisy = { variance: 15.98e-4, degrees: 4 };
    expect(moderate(noisy, prior)).toEqual({ ...noisy, borrowed: false });
    expect(moderate({ ...noisy, variance: 15.9e-4 }, prior)?.borrowed).toBe(true);
  });
  test('of a calmer run is wider than its own', () => {
    expect(moderate({ variance: 1e-7, degrees: 4 }, prior)?.variance).toBeCloseTo(5.005e-5, 12);
    expect(moderate({ variance: 0, degrees: 4 }, prior)?.variance).toBeCloseTo(5e-5, 15);
  });
  test('without degrees of its own is the prior’s', () => {
    expect(moderate({ variance: 0, degrees: 0 }, prior)).toEqual({ ...prior, borrowed: true });
    expect(moderate({ variance: 0, degrees: 0 }, null)).toBeNull();
  });
  test('without a prior is its own', () => {
    expect(moderate({ variance: 3, degrees: 2 }, null)).toEqual({ variance: 3, degrees: 2, borrowed: false });
  });
  test('with a past that is known exactly is that past’s, unless the run is noisier', () => {
    const certain = { variance: 1e-4, degrees: Infinity };
    expect(moderate({ variance: 2e-4, degrees: 4 }, certain)).toEqual({ ...certain, borrowed: true });
    // P(χ²(4)/4 > 3.3) is 1.03 %, P(χ²(4)/4 > 3.4) 0.9 %.
    expect(moderate({ variance: 3.3e-4, degrees: 4 }, certain)?.borrowed).toBe(true);
    expect(moderate({ variance: 3.4e-4, degrees: 4 }, certain)?.borrowed).toBe(false);
  });
});
