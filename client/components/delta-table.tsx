import type { ReactNode } from 'react';
import type { DeltaParts, ShownDelta } from '../format/shown-delta.ts';
import type { Sides } from '../format/side.ts';
import { LookBadge } from './badge.tsx';
import { useScopedId } from './id-scope.ts';
import { ShiftScale, ShiftStrip } from './shift-strip.tsx';
import { SideMark } from './side-mark.tsx';
import classes from './table.module.css';
import { Term } from './term.tsx';

export type DeltaTableProps = Omit<DeltaParts, 'unmeasured'> & {
  caption: string;
  /** What a row is called. */
  of: string;
  /** `95 % CI`. */
  ci: string;
  sides: Sides;
};

/** One row a figure. On a narrow screen the rows are cards, and the roles are spelled out as the layout no longer implies them. */
export function DeltaTable(props: DeltaTableProps) {
  const { caption, of, ci, primary, others, axis, sides } = props;
  return (
    <table className={classes.deltaTable} data-testid="delta-table" {...role('table')}>
      <caption className="hidden">{caption}</caption>
      <thead {...role('rowgroup')}>
        <tr {...role('row')}>
          <HeadCell>{of}</HeadCell>
          <HeadCell numeric>
            <SideMark {...sides.baseline} /> {sides.baseline.label}
          </HeadCell>
          <HeadCell numeric>
            <SideMark {...sides.comparison} /> {sides.comparison.label}
          </HeadCell>
          <HeadCell numeric>Shift, {ci}</HeadCell>
          <HeadCell>Outcome</HeadCell>
          <HeadCell>
            <ShiftScale axis={axis} />
            <span className="hidden">On one axis</span>
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
            {shift.center === null ? null : <span>{shift.interval}</span>}
            {shift.absolute === null ? null : (
              <span className={classes.absolute}>
                <span>{shift.absolute}</span>{' '}
                {shift.absoluteInterval === null ? null : <span>({shift.absoluteInterval.ends})</span>}
              </span>
            )}
          </div>
        )}
      </td>
      <td {...role('cell')} className={classes.deltaTableOutcome} colSpan={strip === null ? 2 : undefined}>
        <LookBadge look={look} />
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
