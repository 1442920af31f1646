import { Badge } from '../../../components/badge.tsx';
import { useScopedId } from '../../../components/id-scope.ts';
import { ShiftScale, ShiftStrip } from '../../../components/shift-strip.tsx';
import { SideMark } from '../../../components/side-mark.tsx';
import { Term } from '../../../components/term.tsx';
import type { Sides } from '../../../format/side.ts';
import type { DeltaRow, DeltaView } from './delta-rows.ts';
import classes from './delta-table.module.css';

type Props = { view: DeltaView; sides: Sides };

/** One row a metric. On a narrow screen the rows are cards, and the roles are spelled out as the layout no longer implies them. */
export function DeltaTable({ view, sides }: Props) {
  const { primary, others, axis } = view;
  return (
    <table className={classes.table} data-testid="delta-table" {...role('table')}>
      <caption className={classes.hidden}>Every metric on both sides, with its shift and outcome</caption>
      <thead {...role('rowgroup')}>
        <tr {...role('row')}>
          <HeadCell>Metric</HeadCell>
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
            <Row key={row.metric.id} row={row} view={view} sides={sides} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Row({ row, view, sides }: { row: DeltaRow; view: DeltaView; sides: Sides }) {
  const { metric, shift, look, notes, reasons, restated, strip } = row;
  return (
    <tr id={useScopedId(row.anchor)} data-testid={`metric-row-${metric.id}`} {...role('row')}>
      <th scope="row" {...role('rowheader')} className={classes.metric}>
        <Term meaning={[metric.definition, ...notes].join(' ')}>{metric.title}</Term>
        {[...(restated === null ? [] : [restated]), ...reasons].map((line) => (
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
          <ShiftStrip {...strip} axis={view.axis} tolerance={view.tolerance} />
        </td>
      )}
    </tr>
  );
}

function HeadCell({ children, numeric }: { children: React.ReactNode; numeric?: boolean }) {
  return (
    <th scope="col" data-numeric={numeric} {...role('columnheader')}>
      {children}
    </th>
  );
}

function role(name: string): { role: string } {
  return { role: name };
}
