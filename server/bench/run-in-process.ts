import { problem } from '../../shared/problem.ts';
import type { RunDocument, RunRequestInput } from '../../shared/run.ts';
import { comparison } from '../kinds/comparison/kind.ts';
import { conductAlone } from '../measurement/conduct-alone.ts';
import { describeEnvironment } from '../sampling/environment.ts';
import type { PerturbationPlan } from '../target/perturb-slots.ts';
import { searchScenario } from '../target/storefront/search-scenario.ts';

export type RunInProcess = {
  request: RunRequestInput;
  /** A known cost on the storefront's requests. */
  perturbation?: PerturbationPlan;
};

/** Longer than any run of quick or standard. */
const longestMs = 8 * 60_000;

/** One run of the built-in search in this process: nothing else can reach the storefront's perturbation. */
export async function runInProcess(
  { request, perturbation }: RunInProcess,
  dataDirectory: string,
  signal: AbortSignal,
): Promise<RunDocument> {
  const over = AbortSignal.timeout(longestMs);
  return conductAlone(comparison, request, {
    house: {
      ...{ dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null },
      ...(perturbation === undefined ? {} : { perturbation }),
      chooseScenario: async () => ({ scenario: searchScenario, revisionId: null }),
    },
    environment: describeEnvironment('tls-toll bench', true),
    signal: AbortSignal.any([signal, over]),
  }).catch((error: unknown) => {
    throw over.aborted ? problem('internal', 'The run did not end in time.', { cause: error }) : error;
  });
}
