import type { Scenario } from '../../../shared/scenario/scenario.ts';

/** The scenario as it is sent: without the steps that are switched off. */
export function enabledSteps(scenario: Scenario): Scenario {
  return { ...scenario, steps: scenario.steps.filter(({ enabled }) => enabled) };
}
