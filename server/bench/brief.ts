import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import { comparison } from '../kinds/comparison/kind.ts';

/**
 * Intervals come from launches, so where it takes hundreds of runs to judge them each launch is measured once and for half as long,
 * after a short warm-up: an hour then holds twice as many runs. Most of that time is load, as in every preset.
 */
const brief: Partial<Plan> = {
  epochs: { minimum: 1, maximum: 1 },
  ...{ lockstepMs: 500, maximumMs: 900 },
  warmUp: { requests: 1500, longestMs: 1000 },
};

export function briefly(plan: Plan): Plan {
  return { ...plan, ...brief };
}

export const briefComparison: typeof comparison = {
  ...comparison,
  async prepare(...asked) {
    const { facts, ...prepared } = await comparison.prepare(...asked);
    return { ...prepared, facts: { ...facts, plan: briefly(facts.plan as Plan) } };
  },
};
