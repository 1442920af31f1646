import { Badge } from '../../../components/badge.tsx';
import { DistributionStrip } from '../../../components/distribution-strip.tsx';
import { SideMark } from '../../../components/side-mark.tsx';
import { Term } from '../../../components/term.tsx';
import type { Sides } from '../../../format/side.ts';
import type { DeltaGroup, DeltaRow } from './delta-rows.ts';
import classes from './delta-table.module.css';

type Props = {
  groups: readonly DeltaGroup[];
  sides: Sides;
  /** Heads the column of strips. */
  observation: 'Launches' | 'Blocks';
};

/** One row a metric. On a narrow screen the rows are cards, and the roles are spelled out as the layout no longer implies them. */
export function DeltaTable({ groups, sides, observation }: Props) {
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
          <HeadCell numeric>Shift</HeadCell>
          <HeadCell>Outcome</HeadCell>
          <HeadCell>{observation}</HeadCell>
        </tr>
      </thead>
      {groups.map((group) => (
        <tbody key={group.anchor} id={group.anchor} {...role('rowgroup')}>
          <tr className={classes.group} {...role('row')}>
            <th colSpan={6} scope="rowgroup" {...role('rowheader')}>
              {group.title}
            </th>
          </tr>
          {group.rows.map((row) => (
            <Row key={row.metric.id} row={row} sides={sides} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Row({ row, sides }: { row: DeltaRow; sides: Sides }) {
  const { metric, shift, look, notes, reasons, strip } = row;
  return (
    <tr id={row.anchor} data-testid={`metric-row-${metric.id}`} {...role('row')}>
      <th scope="row" {...role('rowheader')} className={classes.metric}>
        <Term meaning={[metric.definition, ...notes].join(' ')}>{metric.title}</Term>
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
            <span>
              {shift.center === null ? '95 % CI' : shift.interval}
              {shift.absolute === null ? null : `, ${shift.absolute}`}
            </span>
          </div>
        )}
      </td>
      <td {...role('cell')} className={classes.outcome} colSpan={strip === null ? 2 : undefined}>
        <div>
          <Badge tone={look.tone} icon={look.icon}>
            {look.word}
          </Badge>
          {reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </div>
      </td>
      {strip === null ? null : (
        <td {...role('cell')} className={classes.strip}>
          <DistributionStrip {...strip} />
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
