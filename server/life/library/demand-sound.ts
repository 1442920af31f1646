import { problem } from '../../../shared/base/problem.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { scenarioFaults } from '../../intake/scenario/scenario-faults.ts';

/** Throws invalid_request, naming the fields, for what the form of a scenario cannot show. */
export function demandSound(scenario: Scenario): void {
  const faults = scenarioFaults(scenario);
  const [first] = faults;
  if (first === undefined) return;
  const errors = faults.map(({ path, message }) => ({ field: `scenario.${path}`, message }));
  throw problem('invalid_request', { detail: `scenario.${first.path}: ${first.message}`, errors });
}
