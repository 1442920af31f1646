import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';

/** Our own JSON: what `tls-toll import` and `compare --scenario` read. Without the id, which belongs to this server. */
export function writeScenario(scenario: Scenario): string {
  const { id: _, ...rest } = scenarioSchema.parse(scenario);
  return `${JSON.stringify(rest, null, 2)}\n`;
}
