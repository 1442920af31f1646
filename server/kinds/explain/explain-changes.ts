import { printNumber } from '../../../shared/base/quantity.ts';
import { sideNames } from '../../../shared/base/transport.ts';
import { groupTitles } from '../../../shared/kinds/explain/cost-groups.ts';
import type { ExplainDocument } from '../../../shared/kinds/explain/explain.ts';
import { sideTitle } from '../../../shared/kinds/explain/explain-sentence.ts';
import { explainedOf } from '../../../shared/kinds/explain/explained.ts';
import type { FigureComparison, SetupFact } from '../compare-figures.ts';

/** Two explanations are compared by what the comparison spends on each group. */
export const explainChanges: FigureComparison<ExplainDocument> = {
  kind: 'explain',
  figure: 'us',
  lead: 'CPU of a request on the comparison’s side by what it goes to, µs.',
  figuresOf: ({ groups }) =>
    groups
      .filter(({ comparison }) => comparison.lo > 0)
      .map(({ group, comparison }) => ({ id: group, name: groupTitles[group], estimate: comparison })),
  setupOf,
};

/** Two counts are compared by what each side executes. */
export const instructionChanges: FigureComparison<ExplainDocument> = {
  kind: 'explain',
  figure: 'instructions',
  lead: 'Instructions of a request in user space.',
  figuresOf: ({ instructions, request }) =>
    instructions === null
      ? []
      : sideNames.map((side) => ({
          id: side,
          name: sideTitle(side, request),
          estimate: instructions.perRequest[side],
        })),
  setupOf: (document) => [
    ...setupOf(document),
    { name: 'Valgrind', value: document.instructions?.valgrind ?? 'not used' },
  ],
};

function setupOf({ request, server }: ExplainDocument): SetupFact[] {
  const { target, scenario, users, connectionPolicy } = explainedOf(request);
  return [
    { name: 'Server', value: `${server.title} ${server.version ?? ''}`.trim() },
    { name: 'TLS library', value: server.tlsLibrary ?? 'unknown' },
    { name: 'Baseline', value: sideTitle('baseline', request) },
    { name: 'Comparison', value: sideTitle('comparison', request) },
    ...(target.kind === 'managed' ? [{ name: 'Key', value: target.key }] : []),
    { name: 'Scenario', value: scenario.name },
    { name: 'Users', value: users === null ? 'found' : printNumber(users, 0) },
    { name: 'Connections', value: connectionPolicy },
  ];
}
