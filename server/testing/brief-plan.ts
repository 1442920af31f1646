import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';

/**
 * For tests: of a run that is there for something else than its length. It warms up for as long as a server needs that compiles
 * nothing, finds its load with short bursts, and has one epoch.
 */
export const briefPlan = {
  epochs: { minimum: 1, maximum: 1 },
  ...{ lockstepMs: 200, windowMs: 100, maximumMs: 200, sampleMs: 20 },
  warmUp: { transactions: 20, longestMs: 300 },
} satisfies Partial<Plan>;
