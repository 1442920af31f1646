import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { Phase as PhaseName } from '../../../../shared/kinds/comparison/run.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';
import { analysisS, beforeEpochsS, epochS, launchS, mostLaunches, preflightS } from './plan-duration.ts';

/** What a run is expected to take. Its launches warm up as well; only the warm-up of the first one is a phase of its own. */
export function runPhases(plan: Plan): Phase<PhaseName>[] {
  return [
    { name: 'preflight', seconds: preflightS },
    { name: 'warm-up', seconds: beforeEpochsS(plan) },
    { name: 'measuring', seconds: measuringS(plan) },
    { name: 'analysing', seconds: analysisS },
  ];
}

/** How much of the measuring is done, by epochs of the launch under way and the launches before it. */
export function measuredPart(plan: Plan, launchesDone: number, epochsDone: number): number {
  const doneS =
    launchesDone * launchS(plan) + epochsDone * epochS(plan) - (launchesDone > 0 ? beforeEpochsS(plan) : 0);
  return Math.min(1, doneS / measuringS(plan));
}

/** Once the fewest launches are over, no more begin than the time holds. */
export function mostSecondsLeft(plan: Plan, elapsedS: number, launchesDone: number): number {
  if (launchesDone < plan.launches.minimum) return Number.POSITIVE_INFINITY;
  return Math.max(0, plan.longestS - elapsedS) + analysisS;
}

function measuringS(plan: Plan): number {
  return mostLaunches(plan) * launchS(plan) - beforeEpochsS(plan);
}
