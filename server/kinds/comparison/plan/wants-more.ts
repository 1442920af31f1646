import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { analysisS } from './plan-duration.ts';

/** Whether a run has another launch or epoch: what was decided so far, and what the time holds. */

/** What a run has done. */
export type SoFar = {
  elapsedS: number;
  launchesDone: number;
  /** Of all launches but the first, once there are others. */
  longestLaunchS: number;
  /** Of the launch under way. */
  epochsDone: number;
  longestEpochS: number;
  launchElapsedS: number;
};

/** A launch that takes longer than those before must not break the promise. */
const caution = 1.05;

/** @param mayStop the intervals are narrow enough */
export function wantsLaunch(plan: Plan, soFar: SoFar, mayStop: boolean): boolean {
  const { minimum, maximum } = plan.launches;
  if (soFar.launchesDone < minimum) return true;
  return soFar.launchesDone < maximum && !mayStop && holds(plan, soFar, soFar.longestLaunchS);
}

/** On a slow machine launches have fewer epochs, so that there is time for the fewest launches. */
export function wantsEpoch(plan: Plan, soFar: SoFar, mayStop: boolean): boolean {
  const { launches, epochs } = plan;
  const isSingle = launches.maximum === 1;
  if (soFar.epochsDone < epochs.minimum) return true;
  if (soFar.epochsDone >= epochs.maximum) return false;
  if (isSingle) return !mayStop && holds(plan, soFar, soFar.longestEpochS);
  const launchS = Math.max(soFar.longestLaunchS, soFar.launchElapsedS);
  const toCome = Math.max(0, launches.minimum - soFar.launchesDone - 1);
  return holds(plan, soFar, soFar.longestEpochS + toCome * launchS);
}

/**
 * With the launch that has just ended. The first launch also has the preflight and the search for the load, so it says nothing of the next ones once there are others.
 */
export function longestOf({ launchesDone, longestLaunchS, launchElapsedS }: SoFar): number {
  return launchesDone === 2 ? launchElapsedS : Math.max(longestLaunchS, launchElapsedS);
}

function holds({ longestS }: Plan, { elapsedS }: SoFar, seconds: number): boolean {
  return elapsedS + caution * seconds + analysisS <= longestS;
}
