import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import { usualUsers } from '../../shared/measurement/load-options.ts';
import { type Apparatus, realApparatus } from '../kinds/apparatus.ts';

/**
 * For tests: the plan of a run that is there for something else than its length. It warms up for as long as a server needs that compiles
 * nothing, takes a fixed load, because a search lasts up to 4 s, and has one epoch.
 */
export const briefPlan = {
  users: usualUsers,
  epochs: { minimum: 1, maximum: 1 },
  ...{ lockstepMs: 200, windowMs: 100, maximumMs: 200, sampleMs: 20 },
  warmUp: { transactions: 20, longestMs: 300 },
} satisfies Partial<Plan>;

/** The same plan in brief. A number of users that was asked for stays. */
export function makeBrief(plan: Plan, change: Partial<Plan> = {}): Plan {
  return { ...plan, ...briefPlan, users: plan.users ?? briefPlan.users, ...change };
}

/** Instruments of such a run. It does not look for the programs that work for the target, because that lasts up to 7 s. */
export const briefApparatus: Apparatus = { ...realApparatus, seesProcesses: false };
