import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { Phase as PhaseName } from '../../../../shared/kinds/comparison/run.ts';
import {
  estimateProgress,
  type Phase,
  type Position,
} from '../../../../shared/measurement/estimate-progress.ts';
import {
  analysisS,
  beforeEpochsS,
  epochS,
  launchS,
  mostEpochs,
  mostLaunches,
  type Pace,
  preflightS,
} from './plan-duration.ts';

/** Where a run is: what is over, and what goes on since when. */
export type Progress = Pick<Position, 'elapsedS' | 'inPhaseS' | 'told'> & {
  phase: PhaseName;
  pace: Pace;
  launchesDone: number;
  /** Of the launch under way. */
  epochsDone: number;
  /** Whether the launch under way is warmed up. */
  isWarm: boolean;
  /** Since the epoch under way, or the start of the launch, began. */
  inStepS: number;
};

export function progressOf(plan: Plan, progress: Progress): { fraction: number; secondsLeft: number } {
  const { phase, elapsedS, inPhaseS, told, launchesDone } = progress;
  const known = { ...progress, pace: paceBy(plan, progress) };
  return estimateProgress(runPhases(plan, known.pace), {
    ...{ phase, elapsedS, inPhaseS, told, before: 0 },
    part: phase === 'measuring' ? measuredPart(plan, known) : 0,
    mostSecondsLeft: mostSecondsLeft(plan, elapsedS, launchesDone),
  });
}

/** What a run is expected to take. Its launches warm up as well; only the warm-up of the first one is a phase of its own. */
export function runPhases(plan: Plan, pace?: Pace): Phase<PhaseName>[] {
  return [
    { name: 'preflight', seconds: preflightS },
    { name: 'warm-up', seconds: beforeEpochsS(plan, pace) + findingS(plan, pace) },
    { name: 'measuring', seconds: measuringS(plan, pace) },
    { name: 'analysing', seconds: analysisS },
  ];
}

/** How much of the measuring is done, by epochs of the launch under way and the launches before it. */
export function measuredPart(
  plan: Plan,
  {
    launchesDone,
    epochsDone,
    isWarm,
    inStepS,
    pace,
  }: Pick<Progress, 'launchesDone' | 'epochsDone' | 'isWarm' | 'inStepS' | 'pace'>,
): number {
  const [startS, stepS] = [beforeEpochsS(plan, pace), epochS(plan, pace)];
  const doneS =
    launchesDone * launchS(plan, pace) +
    epochsDone * stepS -
    startS +
    (isWarm || launchesDone === 0 ? startS : 0);
  const goingS =
    launchesDone >= mostLaunches(plan) ? 0 : Math.min(inStepS, nearly * (isWarm ? stepS : startS));
  return Math.min(1, Math.max(0, doneS + goingS) / measuringS(plan, pace));
}

/** Of what goes on, until it is over. */
const nearly = 0.98;

/** Nothing has ended in the first warm-up: a transaction takes at least as long as has been waited for one. */
function paceBy(plan: Plan, { phase, pace, inPhaseS }: Progress): Pace {
  const isWaiting = phase === 'warm-up' && pace.transactionMs === 0;
  return isWaiting ? { ...pace, transactionMs: (1000 * inPhaseS) / plan.arms.length } : pace;
}

/** With the first launch, all users are tried once more, to find the load; of a target that answers at once that is part of the warm-up. */
function findingS({ arms }: Plan, pace?: Pace): number {
  return (arms.length * (pace?.transactionMs ?? 0)) / 1000;
}

/** Once the fewest launches are over, no more begin than the time holds. */
export function mostSecondsLeft(plan: Plan, elapsedS: number, launchesDone: number): number {
  if (launchesDone < plan.launches.minimum) return Number.POSITIVE_INFINITY;
  return Math.max(0, plan.longestS - elapsedS) + analysisS;
}

function measuringS(plan: Plan, pace?: Pace): number {
  const startsS = beforeEpochsS(plan, pace);
  return mostLaunches(plan) * (startsS + mostEpochs(plan, pace) * epochS(plan, pace)) - startsS;
}
