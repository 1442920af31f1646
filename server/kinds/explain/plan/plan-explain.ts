import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { explainArms } from '../../../../shared/kinds/explain/explain.ts';
import type { Explained } from '../../../../shared/kinds/explain/explained.ts';
import { storefront } from '../../../../shared/kinds/explain/options.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';
import type { Target } from '../../../../shared/target/target.ts';

export const requestTimeoutMs = 5000;
/** Of a launch: until it is warm at the latest, without a recording, and with it. */
export type ExplainTimes = { warmUpMs: number; plainMs: number; recordedMs: number };
export const usualTimes: ExplainTimes = { warmUpMs: 1200, plainMs: 800, recordedMs: 2000 };
/** Starting the server and perf, and reading what it recorded. */
const aroundS = 1.5;
const warmUpS = 1.5;

/** They compile what runs often, and take longer until they are warm. */
const compilers: readonly string[] = ['node', 'jdk', storefront];
const compilingFactor = 4;

function warmUpFactor(target: Target): number {
  return compilers.includes(target.kind === 'managed' ? target.server : target.kind) ? compilingFactor : 1;
}

/** What warming up and finding a load take of a plan. */
export function loadPlanOf({ users, load, target }: Explained, times: ExplainTimes) {
  const factor = warmUpFactor(target);
  return {
    arms: explainArms,
    ...{ users: load?.users ?? users, generators: 1, maximumMs: usualTimes.recordedMs },
    ...{ thinkMs: 0, windowMs: 200, pairUsers: 1 },
    warmUp: { transactions: null, longestMs: factor * times.warmUpMs },
  } satisfies Partial<Omit<Plan, 'arms'>> & { arms: unknown };
}

export function explainPhases(launches: number, target: Target): Phase<'preparing' | 'measuring'>[] {
  const launchS =
    aroundS + warmUpFactor(target) * warmUpS + (usualTimes.plainMs + usualTimes.recordedMs) / 1000;
  return [
    { name: 'preparing', seconds: 2 },
    { name: 'measuring', seconds: launches * launchS, rounds: launches },
  ];
}
