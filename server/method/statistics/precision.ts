import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type {
  Interval,
  Precision,
  Prior,
  Variance,
  Widening,
} from '../../../shared/kinds/comparison/precision.ts';
import { excludesZero } from './excludes-zero.ts';
import { fitLaunches, launchesDiffer, launchesOf, type Unit, varianceOfLaunches } from './random-effects.ts';
import { studentPValue, studentQuantile } from './student-t.ts';

export type Priors = {
  /** The target stands already, so its samples are all there is, in however many launches a restart splits them. */
  standing: boolean;
  /** Of what lies between launches of a target that is started, beyond what their samples vary by. */
  prior: Prior | null;
  /** Of the effect between runs, beyond what one run shows; null where it shows it all. */
  betweenRuns: Prior | null;
};

/** Fewer of one launch say too little of themselves. */
const fewestUnits = 3;

/**
 * The precision of a run's estimate from its units, which are samples: about a second on all arms.
 *
 * A target that is started: random effects over its launches, moderated by what lay between launches of earlier runs of this
 * machine, or of those that TLS Toll ships with. A run whose launches lie further apart than that allows borrows nothing: it has another
 * cause, and averaged with the calm past its interval would be too narrow just when that matters. Of one launch, what lies between
 * launches is the prior's; without one the interval is about those processes only.
 *
 * A target that stands: its samples alone. A supervisor's restart makes two launches of one planned; to tell apart what lies between those
 * two there would be one degree of freedom. It is in the spread of the samples, and the variance between runs speaks for launches.
 *
 * Neither shows what moves between runs (the machine of another minute; of a target that stands, other processes and another layout
 * of memory as well), so that variance is added in full, and degrees are combined (Welch, Biometrika 34, 1947; Satterthwaite,
 * Biometrics Bulletin 2, 1946).
 *
 * Null for no units, and without a prior for fewer than three of one launch.
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

/** That launches never differ is more than anything can show. */
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

/** Each launch by itself, with the 95 % interval that its samples give: about its processes only. A point where each has but one. */
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

/** The center ± (Student's quantile × standard error + what widens it). */
export function boundsOf(precision: Bounded, confidence = 0.95): Estimate {
  const { center } = precision;
  return { center, ...around(center, reachOf(precision, confidence) + widenedBy(precision)) };
}

/**
 * Two-sided, that there is no difference: 1 − the largest confidence at which `boundsOf` excludes zero. So what widens the
 * interval is taken off the center first; 1 where it covers it.
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
 * A record so widened by its twin, a second baseline, whose bounds and p-value follow. Nothing is refused for a twin. Where its 95 %
 * interval excludes no difference, the two processes of one side do differ: the result is against the middle of both, so either
 * of them alone would have moved it by half of what lies between them, and that half is added to both sides. A twin whose interval
 * is merely wide says nothing, and makes nothing that is certain uncertain.
 * @param twin twin against baseline, at 95 %; null without a twin
 */
export function withTwin(precision: Precision, twin: Estimate | null): Precision {
  if (twin === null || !excludesZero(twin)) return precision;
  return {
    ...precision,
    widenings: [...precision.widenings, { name: 'twin', by: Math.abs(twin.center) / 2 }],
  };
}

/** How far all causes widen an interval to either side. */
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
 * The error of a run among runs: without what moves between them, which pooling adds for all of them together. What widened its
 * interval is no chance of its own draws, but may be another in the next run: a normal error whose 95 % reach is as much, that is half of it.
 */
export function errorAmongRuns({ withinError, widened }: { withinError: number; widened: number }): number {
  return Math.hypot(withinError, widened / 2);
}
