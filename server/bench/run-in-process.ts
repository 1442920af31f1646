import { problem } from '../../shared/base/problem.ts';
import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { type RunRequestInput, runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import { comparison } from '../kinds/comparison/kind.ts';
import { runS } from '../kinds/comparison/plan/plan-duration.ts';
import { planFor } from '../kinds/comparison/plan/plan-for.ts';
import type { PerturbationPlan } from '../targets/perturb-windows.ts';
import { describeEnvironment } from '../targets/sampling/environment.ts';
import { searchScenario } from '../targets/storefront/search-scenario.ts';
import { conductAlone } from '../testing/conduct-alone.ts';
import { startDisturbers } from './disturber.ts';
import type { Disturbance } from './disturber-process.ts';

export type RunInProcess = {
  request: RunRequestInput;
  /** Each launch is measured once. */
  brief?: boolean;
  /** A known cost on the storefront's requests. */
  perturbation?: PerturbationPlan;
  /** What else is at work on the machine while the run lasts. */
  disturbances?: readonly Disturbance[];
};

/** Longer than any run of quick or standard. */
const longestMs = 8 * 60_000;

/** One run in this process: nothing else can reach the storefront's perturbation. Without a scenario it is the built-in search. */
export async function runInProcess(
  { request, brief = false, perturbation, disturbances = [] }: RunInProcess,
  dataDirectory: string,
  signal: AbortSignal,
): Promise<RunDocument> {
  const over = AbortSignal.timeout(longestMs);
  const disturber = await startDisturbers(disturbances);
  try {
    return await conductAlone(brief ? briefComparison : comparison, request, {
      house: {
        ...{ dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null, browser: null },
        ...(perturbation === undefined ? {} : { perturbation }),
        chooseScenario: async (asked) => ({
          scenario: typeof asked === 'string' ? searchScenario : asked,
          revisionId: null,
        }),
      },
      environment: describeEnvironment('tls-toll bench', true),
      signal: AbortSignal.any([signal, over]),
    });
  } catch (error) {
    throw over.aborted ? problem('internal', 'The run did not end in time.', { cause: error }) : error;
  } finally {
    await disturber.stop();
  }
}

/** How long a run takes on a quiet machine. */
export function expectedS(request: RunRequestInput, brief = false): number {
  const asked = planFor(runRequestSchema.parse(request), 0);
  const plan = brief ? briefly(asked) : asked;
  return Math.min(plan.longestS, runS(plan, plan.launches.minimum));
}

/**
 * Intervals come from launches, so where it takes hundreds of runs to judge them each launch is measured once and for half as long,
 * after a short warm-up: an hour then holds twice as many runs. Most of that time is load, as in every length.
 */
const brief: Partial<Plan> = {
  epochs: { minimum: 1, maximum: 1 },
  ...{ lockstepMs: 500, maximumMs: 900 },
  warmUp: { transactions: null, longestMs: 2000 },
};

function briefly(plan: Plan): Plan {
  return { ...plan, ...brief };
}

const briefComparison: typeof comparison = {
  ...comparison,
  async prepare(...asked) {
    const { facts, ...prepared } = await comparison.prepare(...asked);
    return { ...prepared, facts: { ...facts, plan: briefly(facts.plan as Plan) } };
  },
};
