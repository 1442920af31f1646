import { type Scenario, scenarioSchema } from '../../../../shared/scenario/scenario.ts';

/** One request for a document of this size. */
export function documentScenario(bytes: number): Scenario {
  return scenarioSchema.parse({
    name: 'Document',
    steps: [{ name: 'document', method: 'GET', path: `/${bytes}.html` }],
  });
}
