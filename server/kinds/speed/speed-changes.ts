import { printNumber } from '../../../shared/base/quantity.ts';
import type { SpeedDocument } from '../../../shared/kinds/speed/speed.ts';
import type { FigureComparison } from '../compare-figures.ts';

export const speedChanges: FigureComparison<SpeedDocument> = {
  kind: 'speed',
  figure: 'per_second',
  lead: 'Operations per second of CPU time.',
  figuresOf: ({ rows }) =>
    rows.map(({ id, operationsPerS }) => ({ id, name: id.replaceAll('/', ' / '), estimate: operationsPerS })),
  setupOf: ({ plan, opensslProgram }) => [
    { name: 'Rounds', value: printNumber(plan.rounds, 0) },
    { name: 'openssl speed', value: opensslProgram ?? 'none' },
  ],
};
