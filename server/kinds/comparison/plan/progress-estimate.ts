import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { type Phase, phases } from '../../../../shared/kinds/comparison/run.ts';
import { analysisS, epochS, launchS, mostLaunches, preflightS } from './plan-duration.ts';

export type Position = {
  phase: Phase;
  elapsedS: number;
  launchesDone: number;
  /** Of the launch under way. */
  epochsDone: number;
  /** Mean of the launches that are over; null before the first. */
  measuredLaunchS: number | null;
  /** The fraction told before: the bar never goes back. */
  told: number;
};

/** How far a run is and how long it still takes: by the times that its plan sets, and by those that its launches took. */
export function estimateProgress(plan: Plan, position: Position): { fraction: number; secondsLeft: number } {
  const { phase, elapsedS, told } = position;
  const leftS = secondsLeft(plan, position);
  const fraction = phases.indexOf(phase) === phases.length - 1 ? 0.98 : elapsedS / (elapsedS + leftS);
  return { fraction: Math.min(1, Math.max(told, fraction)), secondsLeft: leftS };
}

function secondsLeft(
  plan: Plan,
  { phase, elapsedS, launchesDone, epochsDone, measuredLaunchS }: Position,
): number {
  if (phase === 'analysing') return analysisS;
  const eachS = measuredLaunchS ?? launchS(plan);
  const byPlan = (mostLaunches(plan) - launchesDone) * eachS - epochsDone * epochS(plan);
  const byClock = launchesDone < plan.launches.minimum ? byPlan : Math.min(byPlan, plan.longestS - elapsedS);
  const beforeS = phase === 'preflight' ? Math.max(0, preflightS - elapsedS) : 0;
  return Math.max(0, byClock) + beforeS + analysisS;
}
