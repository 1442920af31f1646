import { printNumber } from '../../../shared/base/quantity.ts';
import type { CellsEvent } from '../../../shared/measurement/cells-progress.ts';
import { TableSection } from '../../components/data-table.tsx';

/** Provisional medians of CPU in microseconds, by cell. */
type LiveCells = ReadonlyMap<string, number>;

export const noCells: LiveCells = new Map();

export function followCells(
  cells: LiveCells,
  { medians }: Extract<CellsEvent, { type: 'cells' }>,
): LiveCells {
  return new Map([...cells, ...medians.map(({ cell, cpuUs }) => [cell, cpuUs] as const)]);
}

/** What the cells of a grid, or the rows of a speed measurement, show so far. */
export function LiveCellTable({ figures }: { figures: LiveCells }) {
  if (figures.size === 0) return null;
  return (
    <TableSection
      id="cells"
      title="Medians so far"
      lead="Provisional, over all rounds so far."
      first={12}
      what="figure"
      narrow="cards"
      caption="Medians so far"
      rows={[...figures]}
      keyOf={([cell]) => cell}
      columns={[
        { label: 'Figure', cell: ([cell]) => cell.split('/').join(' · ') },
        { label: 'CPU, µs', cell: ([, median]) => printNumber(median, median < 10 ? 2 : 0) },
      ]}
    />
  );
}
