import type { MeasuringPhase } from '../../../../shared/measurement/cells-progress.ts';
import { followCells, LiveCellTable, noCells } from '../live-cells.tsx';
import { HandshakesPage } from './handshakes-page.tsx';

export const handshakesView = {
  noun: 'measurement',
  page: 'l' as const,
  subject: () => 'handshakes',
  method: () => 'Every round measures all cells of the grid in random order.',
  phases: () =>
    [
      { name: 'preparing', title: 'Preparing', text: 'Make keys and certificates.' },
      { name: 'warm-up', title: 'Warm-up', text: 'Connect in every cell, uncounted.' },
      { name: 'measuring', title: 'Measuring', text: 'Measure both ends in one process.' },
      { name: 'ends apart', title: 'Separate ends', text: 'Measure each end in its own process.' },
    ] satisfies { name: MeasuringPhase; title: string; text: string }[],
  figures: noCells,
  follow: followCells,
  Live: LiveCellTable,
  Finished: HandshakesPage,
  csvRow: 'cell',
};
