import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { Interval, Precision, Prior, Variance } from '../../../shared/kinds/comparison/precision.ts';
import type { Unit } from './launch-interval.ts';
import { meanOf } from './mean.ts';
import { type Moderated, moderate } from './moderated-variance.ts';
import { studentPValue, studentQuantile } from './student-t.ts';

export type Priors = {
  /** The target stands already, so its epochs are the units, in however many launches a restart splits them. */
  standing: boolean;
  /** Of a unit: of launches' means for a target that is started, of epochs for one that stands. */
  prior: Prior | null;
  /** Of the effect between runs, beyond what units of one run show; null where they show it all. */
  betweenRuns: Prior | null;
};

/** Fewer epochs of one launch say too little of themselves. */
const fewestEpochs = 3;

/**
 * The precision of a run's estimate from its units.
 *
 * A target that is started: only its launches' means are independent, so their variance over their number, moderated by that
 * of earlier runs. One launch has no variance between launches: then the prior's alone, but not less than what its own epochs
 * say; without a prior the epochs must do, and the interval is about those processes only.
 *
 * A target that stands: its epochs are the units. A supervisor's restart makes two launches of one planned: as two units they would have one degree
 * of freedom and a quantile of 12.7, so the epochs stay the units. What the two launches differ by is in the epochs' spread, and the
 * variance between runs speaks for launches.
 *
 * Neither shows what moves between runs (the machine of another minute; of a target that stands, other processes and another layout
 * of memory as well), so that variance is added in full, and degrees are combined (Welch, Biometrika 34, 1947; Satterthwaite,
 * Biometrics Bulletin 2, 1946).
 *
 * Null for no units, and without a prior for fewer than three epochs of one launch.
 */
export function precisionOf(units: readonly Unit[], priors: Priors): Precision | null {
  return withBetweenRuns(withinRun(units, priors), priors.betweenRuns);
}

function withinRun(units: readonly Unit[], { standing, prior }: Priors): Precision | null {
  const epochs = units.map(({ value }) => value);
  if (standing) return overEpochs(epochs, prior);
  const launches = Map.groupBy(units, ({ launch }) => launch);
  const means = [...launches.values()].map((of) => meanOf(of.map(({ value }) => value)));
  if (means.length >= 2) return overUnits(means, prior);
  return prior === null ? overEpochs(epochs, null) : ofOneLaunch(epochs, prior);
}

function overEpochs(values: readonly number[], prior: Prior | null): Precision | null {
  return prior === null && values.length < fewestEpochs ? null : overUnits(values, prior);
}

function withBetweenRuns(within: Precision | null, betweenRuns: Prior | null): Precision | null {
  if (within === null || betweenRuns === null || betweenRuns.degrees <= 0) return within;
  return { ...within, ...added(within, betweenRuns), betweenRuns };
}

function added({ withinError, degrees }: Precision, betweenRuns: Variance) {
  const [within, between] = [withinError ** 2, betweenRuns.variance];
  const total = within + between;
  if (total === 0) return { standardError: 0, degrees };
  return {
    standardError: Math.sqrt(total),
    degrees: total ** 2 / (within ** 2 / degrees + between ** 2 / betweenRuns.degrees),
  };
}

/** The prior's variance of a launch stands for the one there is, unless its epochs alone are less sure than that. */
function ofOneLaunch(epochs: readonly number[], prior: Prior): Precision | null {
  if (epochs.length === 0) return null;
  const own = varianceOf(epochs);
  const ofMean = { variance: own.variance / epochs.length, degrees: own.degrees };
  const isNoisierThanPast = ofMean.degrees > 0 && ofMean.variance > prior.variance;
  const found = isNoisierThanPast ? ofMean : prior;
  return {
    ...recordOf(meanOf(epochs), Math.sqrt(found.variance), found.degrees),
    own: { variance: 0, degrees: 0 },
    prior: isNoisierThanPast ? null : prior,
    isNoisierThanPast,
  };
}

function overUnits(values: readonly number[], prior: Prior | null): Precision | null {
  if (values.length === 0) return null;
  const own = varianceOf(values);
  const found = moderate(own, prior);
  if (found === null) return null;
  const center = meanOf(values);
  const errorOf = ({ variance }: Variance) => Math.sqrt(variance / values.length);
  return {
    ...recordOf(center, errorOf(found), found.degrees),
    own,
    ...borrowing(found, prior),
    plain: own.degrees === 0 ? null : around(center, reachOf(errorOf(own), own.degrees, 0.95)),
  };
}

function borrowing({ borrowed }: Moderated, prior: Prior | null) {
  return { prior: borrowed ? prior : null, isNoisierThanPast: prior !== null && !borrowed };
}

function recordOf(center: number, standardError: number, degrees: number) {
  return {
    ...{ center, standardError, degrees, withinError: standardError },
    ...{ betweenRuns: null, plain: null, widenings: [], atLeast: null },
  };
}

function varianceOf(values: readonly number[]): Variance {
  const degrees = values.length - 1;
  if (degrees === 0) return { variance: 0, degrees };
  const center = meanOf(values);
  return { variance: values.reduce((sum, value) => sum + (value - center) ** 2, 0) / degrees, degrees };
}

type Bounded = Pick<Precision, 'center' | 'standardError' | 'degrees' | 'widenings' | 'atLeast'>;

/** The center ± (Student's quantile × standard error + what widens it), and the interval it must hold. */
export function boundsOf(precision: Bounded, confidence = 0.95): Estimate {
  const { center, standardError, degrees, atLeast } = precision;
  const reach = reachOf(standardError, degrees, confidence) + widthOf(precision);
  const { lo, hi } = around(center, reach);
  return atLeast === null
    ? { center, lo, hi }
    : { center, lo: Math.min(lo, atLeast.lo), hi: Math.max(hi, atLeast.hi) };
}

/**
 * Two-sided, that there is no difference: 1 − the largest confidence at which `boundsOf` excludes zero. So what widens the
 * interval is taken off the center first; 1 where it covers it, or the interval must hold zero.
 */
export function pValueOf(precision: Bounded): number {
  const { center, standardError, degrees, atLeast } = precision;
  const left = Math.abs(center) - widthOf(precision);
  if (left <= 0 || (atLeast !== null && atLeast.lo <= 0 && atLeast.hi >= 0)) return 1;
  return standardError === 0 ? 0 : studentPValue(left / standardError, degrees);
}

function widthOf({ widenings }: Bounded): number {
  return widenings.reduce((sum, { by }) => sum + by, 0);
}

function reachOf(standardError: number, degrees: number, confidence: number): number {
  return standardError === 0 ? 0 : studentQuantile(confidence, degrees) * standardError;
}

function around(center: number, reach: number): Interval {
  return { lo: center - reach, hi: center + reach };
}
