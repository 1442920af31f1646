import type { Scenario } from '../../shared/scenario.ts';

/** The scenario as it is sent: without the steps that are switched off, and without what a recording saw. */
export function enabledSteps(scenario: Scenario): Scenario {
  const steps = scenario.steps.flatMap(({ recorded: _, ...step }) => (step.enabled ? [step] : []));
  return { ...scenario, steps };
}
