import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { Phase as PhaseName } from '../../../../shared/kinds/comparison/run.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { analysisS, beforeEpochsS, epochS, type Pace, startS, warmUpS } from './plan-duration.ts';
import { longestOf, type SoFar, wantsEpoch, wantsLaunch } from './wants-more.ts';

/** Time left until a run's verdict, by the rules that decide how many launches and epochs it has. */

/** Of both sides, once they have started. */
const checkS = 0.4;

/** Where a run is: what is over, and what goes on since when. */
export type Position = SoFar & {
  phase: PhaseName;
  pace: Pace;
  inPhaseS: number;
  /** Whether the launch under way is warmed up. */
  isWarm: boolean;
  /** Since the epoch under way, or the start of the launch, began. */
  inStepS: number;
  /** Whether an earlier run of the same question found the load. */
  knowsLoad: boolean;
  /** Launches, or epochs of a single one, after which the headline is expected to be known. */
  stopsAt: number;
};

type Expected = {
  secondsLeft: number;
  launches: number;
  /** Of the launch under way, or of the next. */
  epochs: number;
};

export function expectRest(plan: Plan, position: Position): Expected {
  const pace = paceBy(plan, position);
  const first = firstPhases(plan, pace, position.knowsLoad);
  const at = first.findIndex(({ name }) => name === position.phase);
  const before = first
    .slice(Math.max(0, at))
    .map(({ seconds }, index) => Math.max(0, seconds - (index === 0 ? position.inPhaseS : 0)));
  switch (position.phase) {
    case 'measuring': {
      const { measuringS, ...counts } = expectLaunches(plan, pace, position);
      return { ...counts, secondsLeft: measuringS + analysisS };
    }
    case 'analyzing':
      return { ...countsOf(position), secondsLeft: Math.max(0, analysisS - position.inPhaseS) };
    default:
      return expectAll(plan, pace, position, sumOf(before));
  }
}

/** Before the first epoch. */
function expectAll(plan: Plan, pace: Pace, position: Position, beforeS: number): Expected {
  const elapsedS = position.elapsedS + beforeS;
  const start = { elapsedS, launchElapsedS: elapsedS, isWarm: true, inStepS: 0 };
  const { measuringS, ...counts } = expectLaunches(plan, pace, { ...position, ...start });
  return { ...counts, secondsLeft: beforeS + measuringS + analysisS };
}

/** The launches that are still to come, one after the other, each decision as the run will take it. */
function expectLaunches(
  plan: Plan,
  pace: Pace,
  position: Position,
): Omit<Expected, 'secondsLeft'> & {
  measuringS: number;
} {
  const [beforeS, stepS] = [beforeEpochsS(plan, pace), epochS(plan, pace)];
  const isSingle = plan.launches.maximum === 1;
  const mayStop = (done: number) => done >= position.stopsAt;
  // From the last decision on: what goes on takes at least what it has taken.
  let soFar: SoFar = pass(position, -position.inStepS);
  let stepFromS = position.inStepS;
  let epochs: number | null = null;
  const isOver =
    !position.isWarm && soFar.launchesDone > 0 && !wantsLaunch(plan, soFar, mayStop(soFar.launchesDone));
  if (isOver) return { ...countsOf(position), measuringS: 0 };
  const take = (seconds: number) => {
    soFar = pass(soFar, Math.max(seconds, stepFromS));
    stepFromS = 0;
  };
  for (let isWarm = position.isWarm; ; isWarm = false) {
    if (!isWarm) take(beforeS);
    while (wantsEpoch(plan, soFar, isSingle && mayStop(soFar.epochsDone))) {
      take(stepS);
      soFar = {
        ...soFar,
        epochsDone: soFar.epochsDone + 1,
        longestEpochS: Math.max(soFar.longestEpochS, stepS),
      };
    }
    epochs ??= soFar.epochsDone;
    soFar = afterLaunch(soFar);
    if (!wantsLaunch(plan, soFar, !isSingle && mayStop(soFar.launchesDone))) break;
  }
  return {
    measuringS: Math.max(0, soFar.elapsedS - position.elapsedS),
    launches: soFar.launchesDone,
    epochs,
  };
}

function afterLaunch(soFar: SoFar): SoFar {
  const over = { ...soFar, launchesDone: soFar.launchesDone + 1 };
  return { ...over, longestLaunchS: longestOf(over), epochsDone: 0, longestEpochS: 0, launchElapsedS: 0 };
}

function pass(soFar: SoFar, seconds: number): SoFar {
  return {
    ...soFar,
    elapsedS: soFar.elapsedS + seconds,
    launchElapsedS: soFar.launchElapsedS + seconds,
  };
}

function countsOf({ launchesDone, epochsDone }: Position): Pick<Expected, 'launches' | 'epochs'> {
  return { launches: launchesDone, epochs: epochsDone };
}

function firstPhases(plan: Plan, pace: Pace, knowsLoad: boolean): { name: PhaseName; seconds: number }[] {
  return [
    { name: 'starting', seconds: startS },
    { name: 'preflight', seconds: checkS },
    { name: 'warm-up', seconds: warmUpS(plan, pace.transactionMs) },
    { name: 'finding the load', seconds: findingS(plan, pace, knowsLoad) },
  ];
}

/** Search for the load: usual looks, turns of an arm per look, and the longest search. */
const [usualLooks, turnsOfLook, longestSearchS, turnMs] = [2, 16, 4, 16];

function findingS({ arms, permit, users }: Plan, { transactionMs }: Pace, knowsLoad: boolean): number {
  if (knowsLoad || permit !== undefined || users !== null) return 0;
  const lookS = (turnsOfLook * arms.length * (turnMs + transactionMs)) / 1000;
  return Math.min(longestSearchS, usualLooks * lookS);
}

/** Nothing has ended in the first warm-up: a transaction takes at least as long as has been waited for one. */
function paceBy(plan: Plan, { phase, pace, inPhaseS }: Position): Pace {
  const isWaiting = phase === 'warm-up' && pace.transactionMs === 0;
  return isWaiting ? { ...pace, transactionMs: (1000 * inPhaseS) / plan.arms.length } : pace;
}
