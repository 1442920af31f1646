import { type Scenario, scenarioSchema } from '../../../../shared/scenario/scenario.ts';

/** One request for a document; the rows of its data are the sizes. */
export function sizeScenario(sizes: readonly number[]): Scenario {
  return scenarioSchema.parse({
    name: 'Documents',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the scenario
    steps: [{ name: 'document', method: 'GET', path: '/${size}.html' }],
    data: { columns: ['size'], rows: sizes.map((size) => [String(size)]) },
  });
}
