import { printNumber } from '../../shared/base/quantity.ts';
import { type BySide, sideNames } from '../../shared/base/transport.ts';
import type { CellsEvent } from '../../shared/measurement/measurement.ts';
import type { Sides } from '../format/sides.ts';
import { Badge } from './card.tsx';
import { TableSection } from './data-table.tsx';
import classes from './figure.module.css';

type Props = {
  /** Parts counted by the bar, such as `12 blocks`. */
  of: string;
  /** Over the first column. */
  head: string;
  sides: Sides;
  rows: readonly ({ name: string } & BySide<string>)[];
};

/** Live medians of a running measurement. They still move, so nothing is said of their difference. */
export function MediansSoFar({ of, head, sides, rows }: Props) {
  return (
    <TableSection
      id="medians"
      title="Medians so far"
      lead={
        <>
          <Badge tone="warn">Provisional</Badge> Of <span data-testid="counted-so-far">{of}</span>. They still
          move; their difference is judged at the end.
        </>
      }
      caption="Provisional medians of both sides"
      testId="live-medians"
      narrow="cards"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { label: head, cell: ({ name }) => name },
        ...sideNames.map((side) => ({
          label: sides[side].label,
          cell: (row: Props['rows'][number]) => row[side],
        })),
      ]}
    />
  );
}

type BarProps = { label: string; text: string /** 0 to 1 */; fraction: number };

export function ProgressBar({ label, text, fraction }: BarProps) {
  const percent = Math.round(fraction * 100);
  return (
    <div className={classes.progress}>
      <p className={classes.text}>
        <span data-testid="progress-text">{text}</span>
        <span className={classes.percent}>{percent} %</span>
      </p>
      <div
        className={classes.progressBarTrack}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
      >
        <div className={classes.done} style={{ inlineSize: `${fraction * 100}%` }} />
      </div>
    </div>
  );
}

/** Provisional medians of CPU in microseconds, by cell. */
type LiveCells = ReadonlyMap<string, number>;

export const noCells: LiveCells = new Map();

export function followCells(
  cells: LiveCells,
  { medians }: Extract<CellsEvent, { type: 'cells' }>,
): LiveCells {
  return new Map([...cells, ...medians.map(({ cell, cpuUs }) => [cell, cpuUs] as const)]);
}

/** Live figures of a grid's cells, or of the rows of a speed measurement. */
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
