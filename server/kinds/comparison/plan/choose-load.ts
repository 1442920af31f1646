import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import {
  generatorShareOf,
  isIdle,
  isLike,
  isSlow,
  isStarved,
  leastBusy,
  rises,
  slowerPerS,
  type Trial,
  undisturbedPerS,
} from './trial.ts';

/** Limits of a load beside the server. */
type RateReason = 'generator' | 'server';

/** `double`: try twice the users. Else the load to measure at. */
export type LoadChoice =
  | { double: true }
  | { double: false; users: number; ratePerS: number | null; reason: RateReason | null };

/** Of its cores: a server that uses as much is the limit itself. */
const saturated = 0.9;
/** One that uses less is certainly not. */
const stillSaturated = 0.75;
const busiestGenerator = 0.8;
/**
 * Twice the users that bring less are no longer what is missing. A server that is nearly used up gains 5 to 10 % by them, which
 * bursts tell from nothing in one run and not in the next.
 */
const leastRise = 0.15;
/** Twice the users of an earlier run have to bring this much before another load is taken. */
const clearRise = 0.3;
/** Of what the slower side manages: near its maximum the length of a queue is chance. */
const shareOfSlower = 0.75;
/** Rates are of these steps in each power of ten: in finer ones each run would have another. */
const rateSteps = [1, 1.5, 2.2, 3.3, 4.7, 6.8];

/**
 * The load at which both sides are compared: as fast as they can where the server is the limit on both and about as busy, else
 * one arrival rate that both reach.
 * @param trials with doubling numbers of users, oldest first; those before the last one measured again beside it
 * @param cores that the target may run on; null where that is not known
 * @param mostUsers that there may be
 * @param outOfTime there is none for another trial
 */
export function chooseLoad(
  trials: readonly [Trial, ...Trial[]],
  cores: number | null,
  mostUsers: number,
  outOfTime = false,
): LoadChoice {
  const last = trials.at(-1) ?? trials[0];
  const before = trials.at(-2);
  if (before !== undefined && !rises(before, last, leastRise)) return unlessHindered(before, cores);
  if (leastBusy(last, cores) >= saturated || generatorShareOf(last) > busiestGenerator) {
    return unlessHindered(last, cores);
  }
  // A starved machine takes long for everything, which says nothing of the server; slow transactions do, however few users there are.
  if (outOfTime) {
    if (isSlow(last)) return atRate(trials[0], 'server');
    const isUsedUp = leastBusy(last, cores) >= stillSaturated;
    return isUsedUp || isStarved(last) ? unlessHindered(last, cores) : atRate(last, 'server');
  }
  // Those who ask for thousands get them.
  if (2 * last.users > mostUsers) {
    return before === undefined ? unlessHindered(last, cores) : atRate(last, 'server');
  }
  return { double: true };
}

/** A rate that takes more or less of what the slower side manages is another load than it was. */
const likeShares = { lo: 0.4, hi: 0.9 };

/**
 * Whether the load of an earlier run is still what it was then: the server's limit on both sides, or a rate that both reach with
 * something to spare. It takes clear signs to say no: other users each time would be another question each time.
 * `null`: twice the users would tell.
 * @param trial of its users, each as fast as it could
 */
export function stillFits(
  usual: Pick<AtLoad, 'ratePerS'>,
  trial: Trial,
  cores: number | null,
): boolean | null {
  const like = isLike(trial, cores);
  if (usual.ratePerS === null) {
    if (!like || isIdle(trial)) return false;
    if (leastBusy(trial, cores, 1) >= stillSaturated) return true;
    return generatorShareOf(trial) > busiestGenerator || isSlow(trial) ? false : null;
  }
  if (like && leastBusy(trial, cores) >= saturated) return false;
  return (
    usual.ratePerS <= likeShares.hi * undisturbedPerS(trial) &&
    usual.ratePerS >= likeShares.lo * slowerPerS(trial)
  );
}

/** Whether twice the users of an earlier run's load bring so much that the server cannot have been its limit. */
export function bringsMuch(usual: Trial, twice: Trial): boolean {
  return rises(usual, twice, clearRise);
}

/** As fast as its users can, where it is the server that keeps them from being faster. */
function unlessHindered(trial: Trial, cores: number | null): LoadChoice {
  const byGenerator = generatorShareOf(trial) > busiestGenerator && leastBusy(trial, cores) < stillSaturated;
  if (byGenerator) return atRate(trial, 'generator');
  if (!isLike(trial, cores) || isIdle(trial)) return atRate(trial, 'server');
  return { double: false, users: trial.users, ratePerS: null, reason: null };
}

function atRate(trial: Trial, reason: RateReason): LoadChoice {
  const most = Math.max(1, shareOfSlower * slowerPerS(trial));
  const power = 10 ** Math.floor(Math.log10(most));
  const step = rateSteps.findLast((each) => each * power <= most) ?? 1;
  return { double: false, users: trial.users, ratePerS: Number((step * power).toPrecision(2)), reason };
}
