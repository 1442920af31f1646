import type { Estimate } from '../../../shared/base/units.ts';
import type { LaunchesVariance, Variance } from '../../../shared/kinds/comparison/comparison.ts';
import { blend, fPValue, studentQuantile } from './distributions.ts';
import { meanOf, sumOf } from './mean.ts';

/**
 * Samples of several launches as one estimate: value = effect + deviation of the launch + deviation of the sample (one-way random
 * effects). Its error² is the variance between launches ÷ launches + the variance within launches ÷ samples, so many samples help, and
 * two launches do not end in Student's t with one degree.
 *
 * Both variances are those of restricted maximum likelihood (Patterson and Thompson, Biometrika 58, 1971), as in R's lme4 and nlme. Earlier
 * runs join the likelihood with their variance between launches: d₀ degrees of freedom and a mean square of σ₀². The center is that of
 * generalized least squares, lme4's fixed intercept: a launch has the weight 1 ÷ (between + within ÷ its samples). Launches that differ
 * have equal weights; launches that agree are weighted by their samples. Degrees of freedom are Satterthwaite's (Biometrics
 * Bulletin 2, 1946), from the expected information.
 */

/** The value of one part of a run on an additive scale: a logarithm or a difference. */
export type Unit = { launch: number; value: number };

/** Fewer samples are too few for an outcome, and for the correlation of neighbors. */
export const fewestSamples = 10;

type Launches = {
  means: number[];
  /** Effective numbers of independent samples, because correlated neighbors count for fewer. */
  sizes: number[];
  /** Sum of squares within launches, and its degrees of freedom. */
  squares: number;
  degrees: number;
};

export function launchesOf(units: readonly Unit[]): Launches {
  const each = [...Map.groupBy(units, ({ launch }) => launch).values()].map((of) => {
    const values = of.map(({ value }) => value);
    const mean = meanOf(values);
    return { mean, deviations: values.map((value) => value - mean) };
  });
  const deviations = each.map((of) => of.deviations);
  const share = shareOfIndependent(deviations);
  return {
    means: each.map(({ mean }) => mean),
    sizes: deviations.map(({ length }) => Math.max(1, length * share)),
    squares: sumOf(deviations.flat().map((deviation) => deviation ** 2)),
    degrees: units.length - each.length,
  };
}

/** Largest correlation used. Above it, an estimate from a dozen samples is mostly chance. */
const mostAlike = 0.6;

/**
 * Neighboring samples are often correlated on a shared machine: with a correlation of r, n of them are worth n (1 − r) ÷ (1 + r)
 * (Bayley and Hammersley, Journal of the Royal Statistical Society, Supplement 8, 1946). r is estimated from all launches together;
 * because each is centered at its own mean, the estimate is 1 ÷ samples of a launch too low. At r = 0.2, intervals from ten samples
 * cover the truth in 94 % instead of 90 %; at r = 0, they are a seventh wider than needed (simulated).
 */
function shareOfIndependent(launches: readonly (readonly number[])[]): number {
  const all = launches.flat();
  const squares = sumOf(all.map((deviation) => deviation ** 2));
  if (all.length < fewestSamples || squares === 0) return 1;
  const products = launches.flatMap((of) => of.slice(1).map((each, index) => each * (of[index] ?? 0)));
  const alike = sumOf(products) / squares + launches.length / all.length;
  const correlation = Math.min(mostAlike, Math.max(0, alike));
  return (1 - correlation) / (1 + correlation);
}

type Fit = { center: number; standardError: number; degrees: number };

/**
 * Null without any information on spread: a single sample without a prior.
 * @param prior variance between launches; neither it nor its degrees are 0
 */
export function fitLaunches(launches: Launches, prior: Variance | null): Fit | null {
  const { means, sizes, degrees } = launches;
  if (degrees === 0 && means.length === 1 && prior === null) return null;
  const parts = partsOf(launches, prior);
  const variances = sizes.map((size) => parts.between + parts.within / size);
  if (variances.some((variance) => variance === 0)) {
    return { center: meanOf(means), standardError: 0, degrees: degreesOf(launches, parts, prior) };
  }
  const weights = variances.map((variance) => 1 / variance);
  return {
    center: centerOf(means, weights),
    standardError: Math.sqrt(1 / sumOf(weights)),
    degrees: degreesOf(launches, parts, prior),
  };
}

function centerOf(means: readonly number[], weights: readonly number[]): number {
  return sumOf(means.map((mean, index) => mean * (weights[index] ?? 0))) / sumOf(weights);
}

type Parts = { within: number; between: number };

/** The two variances at which the restricted likelihood is largest. */
function partsOf(launches: Launches, prior: Variance | null): Parts {
  const { means, squares, degrees } = launches;
  const { length } = means;
  const earlier = prior ?? { variance: 0, degrees: 0 };
  if (length === 1) return { within: degrees === 0 ? 0 : squares / degrees, between: earlier.variance };
  const center = meanOf(means);
  const apart = sumOf(means.map((mean) => (mean - center) ** 2));
  // Without spread within launches, all of it is between them.
  if (squares === 0) {
    const between = (earlier.degrees * earlier.variance + apart) / (earlier.degrees + length - 1);
    return { within: 0, between };
  }
  const most = (10 * (earlier.variance + apart) * Math.max(1, degrees)) / squares;
  const quotient = quotientOf(most, (of) => profile(of, launches, earlier).lack);
  const isZero =
    prior === null && profile(0, launches, earlier).lack <= profile(quotient, launches, earlier).lack;
  const { within } = profile(isZero ? 0 : quotient, launches, earlier);
  return { within, between: isZero ? 0 : quotient * within };
}

/** −2 × the logarithm of the restricted likelihood at a quotient of between ÷ within, with the best variance within launches. */
function profile(quotient: number, { means, sizes, squares, degrees }: Launches, prior: Variance) {
  const weights = sizes.map((size) => 1 / (quotient + 1 / size));
  const center = centerOf(means, weights);
  const apart = sumOf(means.map((mean, index) => (weights[index] ?? 0) * (mean - center) ** 2));
  const earlier = prior.degrees === 0 ? 0 : (prior.degrees * prior.variance) / quotient;
  const all = degrees + means.length - 1 + prior.degrees;
  const within = (squares + apart + earlier) / all;
  const lack =
    all * Math.log(within) -
    sumOf(weights.map(Math.log)) +
    Math.log(sumOf(weights)) +
    (prior.degrees === 0 ? 0 : prior.degrees * Math.log(quotient));
  return { within, lack };
}

const gridSteps = 40;
const gridFrom = 1e-10;
const narrowings = 32;
const golden = (Math.sqrt(5) - 1) / 2;

/** The quotient with the smallest lack, on a logarithmic scale: by a grid, because there may be two dips, then by golden section. */
function quotientOf(most: number, lackAt: (quotient: number) => number): number {
  const at = (place: number) => most * gridFrom ** (1 - place);
  const places = Array.from({ length: gridSteps + 1 }, (_, step) => step / gridSteps);
  const lacks = places.map((place) => lackAt(at(place)));
  const best = places[lacks.indexOf(Math.min(...lacks))] ?? 1;
  let [from, to] = [best - 1 / gridSteps, best + 1 / gridSteps];
  let [left, right] = [to - golden * (to - from), from + golden * (to - from)];
  let [atLeft, atRight] = [lackAt(at(left)), lackAt(at(right))];
  for (let step = 0; step < narrowings; step++) {
    if (atLeft <= atRight) {
      [to, right, atRight] = [right, left, atLeft];
      left = to - golden * (to - from);
      atLeft = lackAt(at(left));
    } else {
      [from, left, atLeft] = [left, right, atRight];
      right = from + golden * (to - from);
      atRight = lackAt(at(right));
    }
  }
  return at((from + to) / 2);
}

/** 2 × variance² ÷ the variance of that variance, from the expected information on both parts and the error²'s derivatives. */
function degreesOf({ means, sizes, degrees }: Launches, { within, between }: Parts, prior: Variance | null) {
  const earlier = prior?.degrees ?? 0;
  if (within === 0) return earlier + means.length - 1 || degrees;
  if (means.length === 1 && prior === null) return degrees;
  const weights = sizes.map((size) => 1 / (between + within / size));
  const total = sumOf(weights);
  /** Σ wᵖ ÷ sizeˢ */
  const sum = (power: number, perSize: number) =>
    sumOf(weights.map((weight, index) => weight ** power / (sizes[index] ?? 1) ** perSize));
  const information = (one: 0 | 1, other: 0 | 1) =>
    (sum(2, one + other) - (2 * sum(3, one + other)) / total + (sum(2, one) * sum(2, other)) / total ** 2) /
    2;
  const ofBetween = information(0, 0) + (earlier === 0 ? 0 : earlier / (2 * between ** 2));
  const ofBoth = information(0, 1);
  const ofWithin = information(1, 1) + degrees / (2 * within ** 2);
  const [perBetween, perWithin] = [sum(2, 0) / total ** 2, sum(2, 1) / total ** 2];
  const determinant = ofBetween * ofWithin - ofBoth ** 2;
  const spread =
    (perBetween ** 2 * ofWithin - 2 * perBetween * perWithin * ofBoth + perWithin ** 2 * ofBetween) /
    determinant;
  return 2 / (total ** 2 * spread);
}

/** By analysis of variance. Not cut at zero, to avoid bias over many runs. 0 degrees for one launch. */
export function varianceOfLaunches({ means, sizes, squares, degrees }: Launches): LaunchesVariance {
  const apart = means.length - 1;
  if (apart === 0) return { variance: 0, bySamples: 0, degrees: 0 };
  const total = sumOf(sizes);
  // Effective size for launches of different sizes (Searle, Casella and McCulloch, Variance Components, 1992, section 3.6).
  const size = (total - sumOf(sizes.map((each) => each ** 2)) / total) / apart;
  const center = centerOf(means, sizes);
  const between = sumOf(means.map((mean, index) => (sizes[index] ?? 0) * (mean - center) ** 2)) / apart;
  return {
    variance: between / size,
    bySamples: degrees === 0 ? 0 : squares / degrees / size,
    degrees: apart,
  };
}

/** With equal launches, one run in a hundred is still judged to differ. */
const unlikely = 0.01;

/**
 * Whether launches are further apart than their samples allow and, with a prior, than launches usually are (F test, one-sided, at
 * 1 %). False for one launch, or without anything to compare with.
 */
export function launchesDiffer(units: readonly Unit[], prior: Variance | null = null): boolean {
  const launches = launchesOf(units);
  const { variance, bySamples, degrees } = varianceOfLaunches(launches);
  const usual = { variance: prior?.variance ?? 0, degrees: prior?.degrees ?? 0 };
  const expected = bySamples + usual.variance;
  if (degrees === 0 || (launches.degrees === 0 && usual.degrees === 0) || variance <= expected) return false;
  if (expected === 0) return true;
  const spread =
    (launches.degrees === 0 ? 0 : bySamples ** 2 / launches.degrees) +
    (usual.degrees === 0 ? 0 : usual.variance ** 2 / usual.degrees);
  return fPValue(variance / expected, [degrees, expected ** 2 / spread]) < unlikely;
}

/** Estimate of one run, on an additive scale. Its standard error excludes what moves between runs. */
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
  const center = centerOfRuns(runs, weights);
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

function centerOfRuns(runs: readonly RunEstimate[], weights: readonly number[]): number {
  return sumOf(runs.map(({ center }, index) => center * (weights[index] ?? 0))) / sumOf(weights);
}

/** The variance at which the restricted likelihood is largest, by Fisher's scoring; 0 where it would be below. */
function fitBetween(runs: readonly RunEstimate[]): number {
  const mean = meanOf(runs.map(({ center }) => center));
  let between = sumOf(runs.map(({ center }) => (center - mean) ** 2)) / (runs.length - 1);
  for (let step = 0; step < mostSteps; step++) {
    const weights = weightsOf(runs, between);
    const center = centerOfRuns(runs, weights);
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
