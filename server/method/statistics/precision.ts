import { excludes } from '../../../shared/base/estimate-arithmetic.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type {
  Interval,
  Precision,
  Prior,
  Variance,
  Widening,
} from '../../../shared/kinds/comparison/comparison.ts';
import { studentPValue, studentQuantile } from './distributions.ts';
import { fitLaunches, launchesDiffer, launchesOf, type Unit, varianceOfLaunches } from './pool-runs.ts';

export type Priors = {
  /** The target was already running, so only its samples count, even if a restart splits them into launches. */
  standing: boolean;
  /** Prior of the variance between launches of a started target, beyond the variance of their samples. */
  prior: Prior | null;
  /** Prior of the variance between runs, beyond that within one run; null if one run shows it all. */
  betweenRuns: Prior | null;
};

/** A single launch needs at least this many units. */
const fewestUnits = 3;

/**
 * The precision of a run's estimate from its units. A unit is a sample: about a second on all arms.
 *
 * For a started target: random effects over its launches, moderated by the variance between launches in earlier runs of this machine,
 * or in TLS Toll's shipped values. A run whose launches lie further apart than that allows borrows nothing: it has another cause, and
 * averaging it with the calm past would make its interval too narrow. With one launch, the variance between launches is the
 * prior's; without a prior, the interval is about those processes only.
 *
 * For a target that was already running: its samples alone. A supervisor's restart splits the planned launch in two, but the variance
 * between two launches has only one degree of freedom. The spread of the samples includes it; the variance between runs covers launches.
 *
 * Neither shows the variance between runs (other minutes of the machine; for a target that was already running, also other processes
 * and memory layouts). Therefore that variance is added in full, and degrees are combined (Welch, Biometrika 34, 1947;
 * Satterthwaite, Biometrics Bulletin 2, 1946).
 *
 * Null without units, and for fewer than three units of one launch without a prior.
 */
export function precisionOf(units: readonly Unit[], priors: Priors): Precision | null {
  const { standing, betweenRuns } = priors;
  const of = standing ? units.map(({ value }) => ({ launch: 0, value })) : units;
  const launches = launchesOf(of);
  const prior = standing ? null : borrowed(priors.prior);
  if (of.length === 0 || (prior === null && launches.means.length === 1 && of.length < fewestUnits))
    return null;
  const isNoisierThanPast = prior !== null && launchesDiffer(of, prior);
  const alone = fitLaunches(launches, null);
  const fit = prior === null || isNoisierThanPast ? alone : fitLaunches(launches, prior);
  if (fit === null) return null;
  const { center, standardError, degrees } = fit;
  const within: Precision = {
    ...{ center, standardError, degrees, withinError: standardError },
    launches: varianceOfLaunches(launches),
    prior: isNoisierThanPast ? null : prior,
    ...{ isNoisierThanPast, betweenRuns: null, widenings: [] },
    plain: alone === null ? null : around(alone.center, reachOf(alone, 0.95)),
  };
  return betweenRuns === null || betweenRuns.degrees <= 0 ? within : withBetweenRuns(within, betweenRuns);
}

/** Rejects a prior without variance, because no data can show that launches never differ. */
function borrowed(prior: Prior | null): Prior | null {
  return prior !== null && prior.degrees > 0 && prior.variance > 0 ? prior : null;
}

function withBetweenRuns(within: Precision, betweenRuns: Prior): Precision {
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

/** Each launch with the 95 % interval from its samples, which is about its processes only; a point if each has one sample. */
export function eachLaunch(units: readonly Unit[]): (Estimate & { launch: number })[] {
  const { means, sizes, squares, degrees } = launchesOf(units);
  const numbers = [...new Set(units.map(({ launch }) => launch))];
  return numbers.map((launch, index) => {
    const center = means[index] ?? 0;
    const variance = degrees === 0 ? 0 : squares / degrees / (sizes[index] ?? 1);
    const reach = reachOf({ standardError: Math.sqrt(variance), degrees }, 0.95);
    return { launch, center, ...around(center, reach) };
  });
}

type Bounded = Pick<Precision, 'center' | 'standardError' | 'degrees' | 'widenings'>;

/** The center ± (Student's quantile × standard error + widenings). */
export function boundsOf(precision: Bounded, confidence = 0.95): Estimate {
  const { center } = precision;
  return { center, ...around(center, reachOf(precision, confidence) + widenedBy(precision)) };
}

/**
 * Two-sided p-value of no difference: 1 − the largest confidence at which `boundsOf` excludes zero. Widenings are subtracted from
 * the center first; 1 if they exceed it.
 */
export function pValueOf(precision: Bounded): number {
  const { center, standardError, degrees } = precision;
  const left = Math.abs(center) - widenedBy(precision);
  if (left <= 0) return 1;
  return standardError === 0 ? 0 : studentPValue(left / standardError, degrees);
}

function reachOf(
  { standardError, degrees }: Pick<Bounded, 'standardError' | 'degrees'>,
  confidence: number,
): number {
  return standardError === 0 ? 0 : studentQuantile(confidence, degrees) * standardError;
}

function around(center: number, reach: number): Interval {
  return { lo: center - reach, hi: center + reach };
}

/**
 * The precision widened by the twin, a second baseline; bounds and p-value follow. A twin never refuses a result. If its 95 % interval
 * excludes zero, the two processes of one side differ. The result is against the middle of both, so one of them alone would have
 * moved it by half of their difference, and that half is added to each side. A twin whose interval is merely wide changes nothing.
 * @param twin twin against baseline, at 95 %; null without a twin
 */
export function withTwin(precision: Precision, twin: Estimate | null): Precision {
  if (twin === null || !excludes(twin, 0)) return precision;
  return {
    ...precision,
    widenings: [...precision.widenings, { name: 'twin', by: Math.abs(twin.center) / 2 }],
  };
}

/** Total widening of an interval, to each side. */
export function widenedBy({ widenings }: Pick<Precision, 'widenings'>): number {
  return widenings.reduce((sum, { by }) => sum + by, 0);
}

export function wideningsByName({
  widenings,
}: Pick<Precision, 'widenings'>): Record<Widening['name'], number> {
  const of = (name: Widening['name']) =>
    widenedBy({ widenings: widenings.filter((each) => each.name === name) });
  return { drift: of('drift'), twin: of('twin'), 'carry-over': of('carry-over') };
}

/**
 * The error of a run among runs, without the variance between runs, which pooling adds for all of them together. Widenings are not
 * sampling error but may differ in the next run, so they count as a normal error with the same 95 % reach: half of the widening.
 */
export function errorAmongRuns({ withinError, widened }: { withinError: number; widened: number }): number {
  return Math.hypot(withinError, widened / 2);
}
