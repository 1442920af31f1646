import { printNumber } from '../../../shared/base/quantity.ts';
import {
  journeyName,
  type VisitRow,
  type VisitsDocument,
  visitTimeTitles,
} from '../../../shared/kinds/visits/visits.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import type { FigureComparison, SetupFact } from '../compare-figures.ts';

/** Two measurements of visits are compared by their overheads, so that the speed of a machine cancels. */
export const visitChanges: FigureComparison<VisitsDocument> = {
  kind: 'visits',
  figure: 'overhead',
  lead: 'What HTTPS adds to each time. A change compares the ratios of HTTPS to HTTP. Where only an interval is shown, the overhead is not certain.',
  figuresOf: ({ rows }) =>
    rows.map((row) => ({
      id: `${row.pass}/${row.time}`,
      name: nameOf(row),
      estimate: row.outcome === 'refused' ? null : row.ratio,
    })),
  setupOf: ({ request, blocks, browser }) => [
    { name: 'Target', value: factsOf(request.target).name },
    { name: 'Journey', value: journeyName(request) },
    actionsOf(request.journey),
    { name: 'Blocks', value: printNumber(blocks.filter(({ dropped }) => dropped === null).length, 0) },
    { name: 'Browser', value: browser },
  ],
};

const visits = { cold: 'First visit', warm: 'Second visit' };

function nameOf({ pass, time }: VisitRow): string {
  return `${visits[pass]}, ${visitTimeTitles[time].toLowerCase()}`;
}

function actionsOf(journey: VisitsDocument['request']['journey']): SetupFact {
  if (journey === null) return { name: 'Actions', value: 'built-in' };
  const { actions } = journey;
  const value = `${printNumber(actions.length, 0)} ${actions.length === 1 ? 'action' : 'actions'}`;
  return { name: 'Actions', value, content: JSON.stringify(actions) };
}
