import type { ReactNode } from 'react';
import type { Shift } from '../../shared/base/shift.ts';
import type { Look } from '../format/outcome.ts';
import type { ShiftAxis } from '../format/shift-axis.ts';
import type { Sides } from '../format/side.ts';
import { Badge } from './badge.tsx';
import classes from './delta-table.module.css';
import { useScopedId } from './id-scope.ts';
import { type ShiftRow, ShiftScale, ShiftStrip } from './shift-strip.tsx';
import { SideMark } from './side-mark.tsx';
import { Term } from './term.tsx';

/** What is shown of a figure: text, words and positions. */
export type ShownDelta = {
  id: string;
  anchor: string;
  title: string;
  /** Stands behind the title. */
  meaning: string;
  /** Below the title. */
  lines: readonly string[];
  baseline: string | null;
  comparison: string | null;
  shift: Shift | null;
  look: Look;
  /** Null where there is no change in percent. */
  strip: ShiftRow | null;
};

export type DeltaTableProps = {
  caption: string;
  /** What a row is called. */
  of: string;
  /** What the verdict rests on. */
  primary: readonly ShownDelta[];
  others: readonly ShownDelta[];
  axis: ShiftAxis;
  tolerance: number;
  sides: Sides;
};

/** One row a figure. On a narrow screen the rows are cards, and the roles are spelled out as the layout no longer implies them. */
export function DeltaTable(props: DeltaTableProps) {
  const { caption, of, primary, others, axis, sides } = props;
  return (
    <table className={classes.table} data-testid="delta-table" {...role('table')}>
      <caption className={classes.hidden}>{caption}</caption>
      <thead {...role('rowgroup')}>
        <tr {...role('row')}>
          <HeadCell>{of}</HeadCell>
          <HeadCell numeric>
            <SideMark {...sides.baseline} /> {sides.baseline.label}
          </HeadCell>
          <HeadCell numeric>
            <SideMark {...sides.comparison} /> {sides.comparison.label}
          </HeadCell>
          <HeadCell numeric>Shift, 95 % CI</HeadCell>
          <HeadCell>Outcome</HeadCell>
          <HeadCell>
            <ShiftScale axis={axis} />
            <span className={classes.hidden}>On one axis</span>
          </HeadCell>
        </tr>
      </thead>
      {[
        { name: 'primary', rows: primary },
        { name: 'others', rows: others },
      ].map(({ name, rows }) => (
        <tbody key={name} data-part={name} {...role('rowgroup')}>
          {rows.map((row) => (
            <Row key={row.id} row={row} {...props} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Row({ row, axis, tolerance, sides }: { row: ShownDelta } & DeltaTableProps) {
  const { id, title, meaning, lines, shift, look, strip } = row;
  return (
    <tr id={useScopedId(row.anchor)} data-testid={`metric-row-${id}`} {...role('row')}>
      <th scope="row" {...role('rowheader')} className={classes.metric}>
        <Term meaning={meaning}>{title}</Term>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </th>
      <td data-side={sides.baseline.label} data-numeric {...role('cell')}>
        {row.baseline ?? '–'}
      </td>
      <td data-side={sides.comparison.label} data-numeric {...role('cell')}>
        {row.comparison ?? '–'}
      </td>
      <td data-numeric {...role('cell')} className={classes.shift}>
        {shift === null ? (
          '–'
        ) : (
          <div>
            <strong data-real={shift.center !== null}>{shift.center ?? shift.interval}</strong>
            {shift.center === null ? null : (
              <span>
                {shift.interval}
                {shift.absolute === null ? null : <span className={classes.absolute}>{shift.absolute}</span>}
              </span>
            )}
          </div>
        )}
      </td>
      <td {...role('cell')} className={classes.outcome} colSpan={strip === null ? 2 : undefined}>
        <Badge tone={look.tone} icon={look.icon}>
          {look.word}
        </Badge>
      </td>
      {strip === null ? null : (
        <td {...role('cell')} className={classes.strip}>
          <ShiftStrip {...strip} axis={axis} tolerance={tolerance} />
        </td>
      )}
    </tr>
  );
}

function HeadCell({ children, numeric }: { children: ReactNode; numeric?: boolean }) {
  return (
    <th scope="col" data-numeric={numeric} {...role('columnheader')}>
      {children}
    </th>
  );
}

function role(name: string): { role: string } {
  return { role: name };
}
