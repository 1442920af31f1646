import type { MeasuringPhase } from '../../../../shared/measurement/cells-progress.ts';
import { followCells, LiveCellTable, noCells } from '../live-cells.tsx';
import { SpeedPage } from './speed-page.tsx';

export const speedView = {
  noun: 'measurement',
  page: 'l' as const,
  subject: () => 'the speed of ciphers and keys',
  method: () => 'Every round measures all primitives in random order.',
  phases: () =>
    [
      { name: 'preparing', title: 'Preparing', text: 'Make keys and try each primitive.' },
      { name: 'measuring', title: 'Measuring', text: 'Measure each primitive in every round.' },
    ] satisfies { name: MeasuringPhase; title: string; text: string }[],
  figures: noCells,
  follow: followCells,
  Live: LiveCellTable,
  Finished: SpeedPage,
  csvRow: 'figure',
};
