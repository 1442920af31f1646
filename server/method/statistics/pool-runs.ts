import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { Variance } from '../../../shared/kinds/comparison/precision.ts';
import { meanOf, sumOf } from './mean.ts';
import { blend } from './moderated-variance.ts';
import { studentQuantile } from './student-t.ts';

/** What one run says: on an additive scale, with its standard error without what moves between runs. */
export type RunEstimate = { center: number; error: number };

export type PooledRuns = Estimate & {
  /** Between the runs' true effects, a variance. */
  between: number;
  standardError: number;
  degrees: number;
  runs: number;
};

/**
 * Runs of one question as one estimate, by random effects: each run's weight is 1 ÷ (its error² + the variance between runs), which
 * is fitted by restricted maximum likelihood; the interval at 95 % is Student's. Null for fewer than two runs.
 *
 * Without a prior, the interval is that of Hartung and Knapp with k − 1 degrees, never narrower than errors and variance between
 * runs allow. Two runs have one degree and a quantile of 12.7, so a pooled figure could be wider than each of them. With a prior of
 * what moves between runs, the fitted variance is the weighted mean with it, and the degrees are those of both: also where
 * runs differ far more than usual, as two runs at +40 and +60 % would be "−36 to +250 %" together by themselves.
 * Source: Viechtbauer, Journal of Educational and Behavioral Statistics 30 (2005), for the likelihood; Knapp and Hartung,
 * Statistics in Medicine 22 (2003), for the interval; Röver, Knapp and Friede, BMC Medical Research Methodology 15 (2015), for
 * its lower bound.
 */
export function poolRuns(runs: readonly RunEstimate[], prior: Variance | null = null): PooledRuns | null {
  if (runs.length < 2) return null;
  const fitted = { variance: fitBetween(runs), degrees: runs.length - 1 };
  const borrows = prior !== null && prior.degrees > 0;
  const { variance: between, degrees } = borrows ? blend(fitted, prior) : fitted;
  const weights = weightsOf(runs, between);
  const center = centerOf(runs, weights);
  const total = sumOf(weights);
  const scatter = sumOf(runs.map((run, index) => (weights[index] ?? 0) * (run.center - center) ** 2));
  const excess = borrows ? 1 : Math.max(1, scatter / fitted.degrees);
  const standardError = Math.sqrt(excess / total);
  const reach = studentQuantile(0.95, degrees) * standardError;
  return {
    ...{ center, lo: center - reach, hi: center + reach },
    ...{ between, standardError, degrees, runs: runs.length },
  };
}

/** A run that claims no error at all does not outweigh the others without bounds. */
const leastVariance = 1e-20;
const mostSteps = 200;

function weightsOf(runs: readonly RunEstimate[], between: number): number[] {
  return runs.map(({ error }) => 1 / Math.max(error ** 2 + between, leastVariance));
}

function centerOf(runs: readonly RunEstimate[], weights: readonly number[]): number {
  return sumOf(runs.map(({ center }, index) => center * (weights[index] ?? 0))) / sumOf(weights);
}

/** The variance at which the restricted likelihood is largest, by Fisher's scoring; 0 where it would be below. */
function fitBetween(runs: readonly RunEstimate[]): number {
  const mean = meanOf(runs.map(({ center }) => center));
  let between = sumOf(runs.map(({ center }) => (center - mean) ** 2)) / (runs.length - 1);
  for (let step = 0; step < mostSteps; step++) {
    const weights = weightsOf(runs, between);
    const center = centerOf(runs, weights);
    const [one = 0, two = 0, three = 0] = [1, 2, 3].map((power) =>
      sumOf(weights.map((weight) => weight ** power)),
    );
    const squares = sumOf(runs.map((run, index) => ((weights[index] ?? 0) * (run.center - center)) ** 2));
    const score = squares - (one - two / one);
    const information = two - (2 * three) / one + (two / one) ** 2;
    const next = Math.max(0, between + score / information);
    if (Math.abs(next - between) <= 1e-10 * between) return next;
    between = next;
  }
  return between;
}
