import type { Preset } from '../../../../shared/kinds/comparison/load-choice.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';

/** How long a plan takes: what the presets promise and the progress bar counts down. On a slow machine less fits in. */

/** Start of the generator and preflight. */
export const preflightS = 1;
/** Merging, estimating and storing. */
export const analysisS = 0.5;
/** Of a launch: starting its processes, and ending them. */
const startS = 1;
/** A server that compiles nothing is warm before the plan's limit. */
const usualShareOfWarmUp = 0.8;
/** Readings at the edges of a block. */
const edgesMs = 100;

const longestOfPresetS: Record<Preset, number> = { quick: 29, standard: 118, thorough: 590 };
/** Without a storefront to start and warm up. */
const quickS = 19.5;

/** What a whole run of a preset may take on two quiet cores; launches that do not fit in are left out. */
export function longestS({ preset, target }: Pick<RunRequest, 'preset' | 'target'>): number {
  return preset === 'quick' && target.kind !== 'storefront' ? quickS : longestOfPresetS[preset];
}

export function epochS({ lockstepMs, maximumMs, openMs }: Plan): number {
  const open = openMs === null ? 0 : 3 * openMs + edgesMs;
  return (lockstepMs + maximumMs + 2 * edgesMs + open) / 1000;
}

/** Starting the processes of a launch, and warming them up. */
export function beforeEpochsS({ warmUp }: Plan): number {
  return startS + (usualShareOfWarmUp * warmUp.longestMs) / 1000;
}

export function launchS(plan: Plan): number {
  return beforeEpochsS(plan) + plan.epochs.maximum * epochS(plan);
}

export function runS(plan: Plan, launches: number): number {
  return preflightS + launches * launchS(plan) + analysisS;
}

/** Launches that the time holds, within the plan's limits. */
export function mostLaunches(plan: Plan): number {
  const { minimum, maximum } = plan.launches;
  const fitting = Math.floor((plan.longestS - runS(plan, 0)) / launchS(plan));
  return Math.min(maximum, Math.max(minimum, fitting));
}
