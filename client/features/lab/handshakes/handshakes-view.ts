import type { LabPhase } from '../../../../shared/lab-progress.ts';
import { followCells, LiveCellTable, noCells } from '../live-cells.tsx';
import { HandshakesPage } from './handshakes-page.tsx';

/** The handshake grid on the page of a measurement. */
export const handshakesView = {
  noun: 'measurement',
  page: 'l' as const,
  subject: () => 'handshakes',
  method: () => 'All cells of the grid take turns in random order, round after round.',
  phases: [
    { name: 'preparing', title: 'Preparing', text: 'Make keys and certificates.' },
    { name: 'warm-up', title: 'Warm-up', text: 'Connect in every cell before anything counts.' },
    { name: 'measuring', title: 'Measuring', text: 'Measure both ends in one process.' },
    { name: 'ends apart', title: 'Ends apart', text: 'Measure each end in a process of its own.' },
  ] satisfies { name: LabPhase; title: string; text: string }[],
  figures: noCells,
  follow: followCells,
  Live: LiveCellTable,
  Finished: HandshakesPage,
  csvRow: 'cell',
};
