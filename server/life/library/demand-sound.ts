import { problem } from '../../../shared/base/problem.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';

/**
 * Throws invalid_request, naming the fields, for what the form of a scenario cannot show. What compiles a scenario is loaded with the
 * first one.
 */
export async function demandSound(scenario: Scenario): Promise<void> {
  const { scenarioProblems } = await import('../../intake/scenario/scenario-problems.ts');
  const problems = scenarioProblems(scenario);
  const [first] = problems;
  if (first === undefined) return;
  const errors = problems.map(({ path, message }) => ({ field: `scenario.${path}`, message }));
  throw problem('invalid_request', { detail: `scenario.${first.path}: ${first.message}`, errors });
}
