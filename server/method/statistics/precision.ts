import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { Interval, Precision, Prior, Variance } from '../../../shared/kinds/comparison/precision.ts';
import { excludesZero } from './excludes-zero.ts';
import { fPValue } from './f-distribution.ts';
import { meanOf, sumOf } from './mean.ts';
import { type Moderated, moderate } from './moderated-variance.ts';
import { studentPValue, studentQuantile } from './student-t.ts';

/** A part of a run, most often a sample, on an additive scale: a logarithm, or a difference. */
export type Unit = { launch: number; value: number };

export type Priors = {
  /** A target that is already running: however a restart splits its samples into launches, they are of one. */
  standing: boolean;
  /** Variance between launches. */
  prior: Prior | null;
  /** Variance of the effect between runs. */
  betweenRuns: Prior | null;
};

/** Samples that a word must rest on. */
export const fewestSamples = 10;
/** Fewer units of one launch tell too little of themselves. */
const fewestUnits = 3;

/**
 * The precision of a run's estimate, by a one-way random-effects model: value = center + launch + sample. With v_l = σ_b² + σ_w² ÷ n_l
 * for each launch, the center is the mean of the launches weighted by 1 ÷ v_l, and its error² is 1 ÷ Σ 1 ÷ v_l: for equally many samples,
 * within launches ÷ samples + between launches ÷ launches.
 *
 * Both variances come from restricted maximum likelihood, as in R's lme4. Two launches say little of σ_b², and often 0, so it is
 * averaged with that of earlier runs by their degrees (a moderated variance). Degrees of error² are Satterthwaite's (Biometrics Bulletin
 * 2, 1946). Without a prior, the means of the launches are all that is known to be independent: Student's t over them.
 *
 * Runs move as well (another minute of the machine, other processes, another layout of memory), so that variance is added in full.
 *
 * Null for no units, and without a prior for fewer than three units of one launch.
 */
export function precisionOf(units: readonly Unit[], priors: Priors): Precision | null {
  const within = withinRun(units, priors);
  return within === null ? null : withBetweenRuns(within, priors.betweenRuns);
}

function withinRun(units: readonly Unit[], { standing, prior }: Priors): Precision | null {
  if (units.length === 0) return null;
  const launches = standing ? [units] : [...Map.groupBy(units, ({ launch }) => launch).values()];
  const groups = launches.map((of) => of.map(({ value }) => value));
  const found = fitLaunches(groups);
  const isAlone = groups.length === 1;
  const moderated = standing ? null : moderate(found.between, prior);
  if (moderated === null || !moderated.borrowed) {
    const noisier = moderated !== null && prior !== null;
    return isAlone ? ofOneLaunch(groups, found) : overMeans(groups, found, noisier);
  }
  return moderatedBy(groups, found, moderated, prior);
}

/** Samples of a launch, and what launches differ by. */
type Fitted = { within: Variance; between: Variance };

const nothing: Variance = { variance: 0, degrees: 0 };

function ofOneLaunch(groups: readonly number[][], { within }: Fitted): Precision | null {
  const values = groups.flat();
  if (values.length < fewestUnits) return null;
  const [center, error] = [meanOf(values), Math.sqrt(within.variance / values.length)];
  return recordOf(groups, { within, between: nothing }, { center, error, degrees: within.degrees });
}

function overMeans(groups: readonly number[][], found: Fitted, isNoisierThanPast: boolean): Precision {
  const means = groups.map(meanOf);
  const { variance, degrees } = varianceOf(means);
  const [center, error] = [meanOf(means), Math.sqrt(variance / means.length)];
  return { ...recordOf(groups, found, { center, error, degrees }), isNoisierThanPast };
}

function moderatedBy(
  groups: readonly number[][],
  found: Fitted,
  { variance, degrees }: Moderated,
  prior: Prior | null,
): Precision {
  const weights = weightsOf(groups, found.within.variance, variance);
  const total = sumOf(weights);
  const shares = weights.map((weight) => (total === 0 ? 1 / groups.length : weight / total));
  const parts = [
    {
      variance: found.within.variance * sumOf(groups.map((of, at) => (shares[at] ?? 0) ** 2 / of.length)),
      degrees: found.within.degrees,
    },
    { variance: variance * sumOf(shares.map((share) => share ** 2)), degrees },
  ];
  const center = sumOf(groups.map((of, at) => (shares[at] ?? 0) * meanOf(of)));
  const whole = addUp(parts);
  const record = recordOf(groups, found, { center, error: Math.sqrt(whole.variance), degrees: whole.degrees });
  return { ...record, prior };
}

function recordOf(
  groups: readonly number[][],
  { within, between }: Fitted,
  { center, error, degrees }: { center: number; error: number; degrees: number },
): Precision {
  return {
    ...{ center, standardError: error, degrees, withinError: error, within, between },
    ...{ samples: groups.flat().length, launches: groups.length },
    ...{ prior: null, isNoisierThanPast: false, betweenRuns: null, widenings: [] },
    plain: plainOf(groups, within),
  };
}

/** Student's at 95 % from this run alone; null where nothing of it has varied. */
function plainOf(groups: readonly number[][], within: Variance): Interval | null {
  const [values, means] = [groups.flat(), groups.map(meanOf)];
  const { variance, degrees } = groups.length > 1 ? varianceOf(means) : within;
  if (degrees === 0) return null;
  const count = groups.length > 1 ? means.length : values.length;
  return around(meanOf(means), reachOf(Math.sqrt(variance / count), degrees, 0.95));
}

function withBetweenRuns(within: Precision, betweenRuns: Prior | null): Precision {
  if (betweenRuns === null || betweenRuns.degrees <= 0) return within;
  const { withinError, degrees } = within;
  const whole = addUp([{ variance: withinError ** 2, degrees }, betweenRuns]);
  return { ...within, standardError: Math.sqrt(whole.variance), degrees: whole.degrees, betweenRuns };
}

/** Of independent parts, with Satterthwaite's degrees. */
function addUp(parts: readonly Variance[]): Variance {
  const variance = sumOf(parts.map((part) => part.variance));
  const counted = parts.filter((part) => part.variance > 0);
  if (variance === 0) return { variance, degrees: Math.max(...parts.map(({ degrees }) => degrees)) };
  return { variance, degrees: variance ** 2 / sumOf(counted.map((part) => part.variance ** 2 / part.degrees)) };
}

/**
 * Both variances by restricted maximum likelihood. With θ = σ_b² ÷ σ_w² and w_l = n_l ÷ (1 + n_l θ), twice its negative logarithm is
 * (N − 1) log(Q ÷ (N − 1)) + Σ log(1 + n_l θ) + log Σ w_l, where Q = SSW + Σ w_l (mean_l − center)²; σ_w² = Q ÷ (N − 1).
 * Source: Searle, Casella and McCulloch, Variance Components, section 3.8.
 */
export function fitLaunches(groups: readonly number[][]): Fitted {
  const count = groups.flat().length;
  const squaresWithin = sumOf(groups.map((of) => squaresAround(of, meanOf(of))));
  const freeWithin = count - groups.length;
  if (groups.length === 1) return { within: ratioOf(squaresWithin, freeWithin), between: nothing };
  const between = (variance: number): Variance => ({ variance, degrees: groups.length - 1 });
  if (freeWithin === 0) return { within: nothing, between: between(varianceOf(groups.map(meanOf)).variance) };
  if (squaresWithin === 0) return { within: ratioOf(0, freeWithin), between: between(varianceOf(groups.map(meanOf)).variance) };
  const quadratic = (theta: number) => {
    const weights = groups.map((of) => of.length / (1 + of.length * theta));
    const center = sumOf(groups.map((of, at) => (weights[at] ?? 0) * meanOf(of))) / sumOf(weights);
    const squares = sumOf(groups.map((of, at) => (weights[at] ?? 0) * (meanOf(of) - center) ** 2));
    return { q: squaresWithin + squares, weights };
  };
  const criterion = (theta: number) => {
    const { q, weights } = quadratic(theta);
    const logs = sumOf(groups.map((of) => Math.log1p(of.length * theta)));
    return (count - 1) * Math.log(q) + logs + Math.log(sumOf(weights));
  };
  const theta = leastOf(criterion);
  const variance = quadratic(theta).q / (count - 1);
  // At 0, the launches are no launches; above it, σ_w² has the degrees within them.
  return { within: { variance, degrees: theta === 0 ? count - 1 : freeWithin }, between: between(theta * variance) };
}

/** θ of samples beside which launches are all that varies. */
const mostTheta = 1e9;

/** The least of a function of θ ≥ 0 with one minimum: a grid in log θ, then golden section. */
function leastOf(criterion: (theta: number) => number): number {
  const grid = Array.from({ length: 61 }, (_, at) => 10 ** (-6 + at / 4)).filter((theta) => theta <= mostTheta);
  const best = grid.reduce((least, theta, at) => (criterion(theta) < criterion(grid[least] ?? 0) ? at : least), 0);
  let [lo, hi] = [best === 0 ? -16 : Math.log(grid[best - 1] ?? 1), Math.log(grid[best + 1] ?? mostTheta)];
  const golden = (Math.sqrt(5) - 1) / 2;
  while (hi - lo > 1e-10) {
    const [left, right] = [hi - golden * (hi - lo), lo + golden * (hi - lo)];
    if (criterion(Math.exp(left)) < criterion(Math.exp(right))) hi = right;
    else lo = left;
  }
  const theta = Math.exp((lo + hi) / 2);
  return criterion(0) <= criterion(theta) ? 0 : theta;
}

function weightsOf(groups: readonly number[][], within: number, between: number): number[] {
  return groups.map((of) => {
    const variance = between + within / of.length;
    return variance === 0 ? 0 : 1 / variance;
  });
}

/** Chance of so much difference between launches that differ by nothing, at which they count as different. */
const chance = 0.01;

/** Whether launches differ by more than their samples allow (F test of one-way analysis of variance). */
export function launchesDiffer(units: readonly Unit[]): boolean {
  const groups = [...Map.groupBy(units, ({ launch }) => launch).values()].map((of) =>
    of.map(({ value }) => value),
  );
  const [between, within] = [groups.length - 1, units.length - groups.length];
  if (between === 0 || within < 2) return false;
  const center = meanOf(groups.flat());
  const above = sumOf(groups.map((of) => of.length * (meanOf(of) - center) ** 2)) / between;
  const below = sumOf(groups.map((of) => squaresAround(of, meanOf(of)))) / within;
  if (below === 0) return above > 0;
  return fPValue(above / below, [between, within]) < chance;
}

function varianceOf(values: readonly number[]): Variance {
  const degrees = values.length - 1;
  return degrees === 0 ? nothing : ratioOf(squaresAround(values, meanOf(values)), degrees);
}

function ratioOf(squares: number, degrees: number): Variance {
  return degrees === 0 ? nothing : { variance: squares / degrees, degrees };
}

function squaresAround(values: readonly number[], center: number): number {
  return sumOf(values.map((value) => (value - center) ** 2));
}

/**
 * A twin, a second baseline, whose 95 % interval excludes no difference: the two processes of one side do differ. The result is
 * against the middle of both, so either of them alone would have moved it by half of their difference, which is added to both sides. A
 * twin that is merely wide adds nothing.
 */
export function withTwin(precision: Precision, twin: Estimate | null): Precision {
  if (twin === null || !excludesZero(twin)) return precision;
  const by = Math.abs(twin.center) / 2;
  return { ...precision, widenings: [...precision.widenings, { name: 'twin', by }] };
}

type Bounded = Pick<Precision, 'center' | 'standardError' | 'degrees' | 'widenings'>;

/** The center ± (Student's quantile × standard error + what widens it). */
export function boundsOf(precision: Bounded, confidence = 0.95): Estimate {
  const { center, standardError, degrees } = precision;
  return { center, ...around(center, reachOf(standardError, degrees, confidence) + widthOf(precision)) };
}

/**
 * Two-sided, that there is no difference: 1 − the largest confidence at which `boundsOf` excludes zero. So what widens the
 * interval is taken off the center first; 1 where it covers it.
 */
export function pValueOf(precision: Bounded): number {
  const { center, standardError, degrees } = precision;
  const left = Math.abs(center) - widthOf(precision);
  if (left <= 0) return 1;
  return standardError === 0 ? 0 : studentPValue(left / standardError, degrees);
}

function widthOf({ widenings }: Pick<Precision, 'widenings'>): number {
  return sumOf(widenings.map(({ by }) => by));
}

function reachOf(standardError: number, degrees: number, confidence: number): number {
  return standardError === 0 ? 0 : studentQuantile(confidence, degrees) * standardError;
}

function around(center: number, reach: number): Interval {
  return { lo: center - reach, hi: center + reach };
}
