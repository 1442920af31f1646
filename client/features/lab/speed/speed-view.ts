import type { LabPhase } from '../../../../shared/kinds/lab/lab-progress.ts';
import { followCells, LiveCellTable, noCells } from '../live-cells.tsx';
import { SpeedPage } from './speed-page.tsx';

/** Primitives on the page of a measurement. */
export const primitivesView = {
  noun: 'measurement',
  page: 'l' as const,
  subject: () => 'primitives',
  method: () => 'Every round measures all primitives in random order.',
  phases: [
    { name: 'preparing', title: 'Preparing', text: 'Make keys and try each primitive.' },
    { name: 'measuring', title: 'Measuring', text: 'Measure each primitive in every round.' },
  ] satisfies { name: LabPhase; title: string; text: string }[],
  figures: noCells,
  follow: followCells,
  Live: LiveCellTable,
  Finished: SpeedPage,
  csvRow: 'figure',
};
