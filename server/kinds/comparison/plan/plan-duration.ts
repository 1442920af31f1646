import type { Preset } from '../../../../shared/kinds/comparison/load-choice.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import { compilingServers } from '../../../../shared/target/server-names.ts';
import { transactionsOfTurn } from '../../../base/addresses/burst-length.ts';

/** How long a plan takes: what the presets promise and the progress bar counts down. On a slow machine less fits in. */

/** What is known of the target by now. A plan promises what it takes of one that answers at once. */
export type Pace = {
  /** What a transaction takes, or little less; 0 until one has ended. */
  transactionMs: number;
  /** An epoch so far; null until one has ended. */
  epochS: number | null;
  /** Starting the processes of a launch and warming them up, so far; null until that has ended. */
  startS: number | null;
};
const promised: Pace = { transactionMs: 0, epochS: null, startS: null };

/** Start of the generator and preflight. */
const preflightS = 1;
/** Merging, estimating and storing. */
export const analysisS = 0.5;
/** Of a launch: starting its processes, and ending them. */
export const startS = 1;
/** Usual share of the plan's limit until a server is warm. */
const usualShareOfWarmUp = 0.7;
/** Readings at the edges of a block. */
const edgesMs = 100;

const longestOfPresetS: Record<Preset, number> = { quick: 45, standard: 118, thorough: 590 };
/** Without a storefront to start and warm up. */
const quickS = 34;
/** With a server that has to be warmed up for long. */
const quickOfCompilingS = 45;

/** Of a single launch, however long they take: an interval needs three, and one may be spoiled. */
export const fewestEpochs = 4;

/** What a whole run of a preset may take on two quiet cores; launches that do not fit in are left out. */
export function longestS(request: Pick<RunRequest, 'preset' | 'target' | 'sides'>): number {
  const { preset, target } = request;
  if (preset === 'quick' && compiles(request)) return quickOfCompilingS;
  return preset === 'quick' && target.kind !== 'storefront' ? quickS : longestOfPresetS[preset];
}

/** Whether a server of one side compiles its code while it runs. */
export function compiles({ target, sides }: Pick<RunRequest, 'target' | 'sides'>): boolean {
  const servers = [sides.baseline.target?.server, sides.comparison.target?.server];
  if (target.kind === 'managed') servers.push(target.server);
  return servers.some((server) => server !== undefined && compilingServers.includes(server));
}

export function epochS(plan: Plan, { transactionMs, epochS: known }: Pace = promised): number {
  if (known !== null) return known;
  const { arms, lockstepMs, maximumMs, openMs } = plan;
  // Whatever the time of a block, it holds one transaction of each arm, and no arm begins before the one ahead has ended its last one.
  const eachMs = arms.length * transactionMs;
  const turnMs = Math.min(maximumMs / arms.length, transactionsOfTurn * transactionMs);
  const atLoadMs = Math.max(maximumMs, arms.length * turnMs + eachMs);
  const open = openMs === null ? 0 : arms.length * openMs + eachMs + edgesMs;
  return (Math.max(lockstepMs, eachMs) + atLoadMs + 2 * edgesMs + open) / 1000;
}

/** Starting the processes of a launch, and warming them up. */
export function beforeEpochsS(plan: Plan, { transactionMs, startS: known } = promised): number {
  return known ?? startS + warmUpS(plan, transactionMs);
}

export function warmUpS({ arms, warmUp }: Plan, transactionMs: number): number {
  return Math.max(usualShareOfWarmUp * warmUp.longestMs, arms.length * transactionMs) / 1000;
}

export function launchS(plan: Plan, pace?: Pace): number {
  return beforeEpochsS(plan, pace) + mostEpochs(plan, pace) * epochS(plan, pace);
}

/** Of a launch; of a single one those that the time holds. */
export function mostEpochs(plan: Plan, pace?: Pace): number {
  const { launches, epochs, longestS } = plan;
  if (launches.maximum > 1) return epochs.maximum;
  const s = longestS - preflightS - beforeEpochsS(plan, pace) - analysisS;
  const fewest = Math.min(fewestEpochs, epochs.minimum);
  return Math.min(epochs.maximum, Math.max(fewest, Math.floor(s / epochS(plan, pace))));
}

export function runS(plan: Plan, launches: number): number {
  return preflightS + launches * launchS(plan) + analysisS;
}

/** Launches that the time holds, within the plan's limits. */
export function mostLaunches(plan: Plan): number {
  const { minimum, maximum } = plan.launches;
  // A quick run has more launches only if they differ.
  if (plan.preset === 'quick') return minimum;
  const fitting = Math.floor((plan.longestS - runS(plan, 0)) / launchS(plan));
  return Math.min(maximum, Math.max(minimum, fitting));
}
