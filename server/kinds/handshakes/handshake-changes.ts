import { printNumber } from '../../../shared/base/quantity.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import type { FigureComparison } from '../compare-figures.ts';

/** Two grids are compared by their ratios to the baseline cell, so that the speed of a machine cancels. */
export const handshakeChanges: FigureComparison<HandshakesDocument> = {
  kind: 'handshakes',
  figure: 'multiple',
  lead: 'CPU per connection as a multiple of the baseline cell’s in the same measurement.',
  figuresOf: ({ cells }) =>
    cells.flatMap((result) =>
      result.status === 'measured' && result.ratio !== null
        ? [{ id: result.cell.id, name: result.cell.id.replaceAll('/', ' / '), estimate: result.ratio }]
        : [],
    ),
  setupOf: ({ plan, baseline }) => [
    { name: 'Rounds', value: printNumber(plan.rounds, 0) },
    { name: 'Baseline cell', value: baseline?.cell.id ?? 'none' },
  ],
};
