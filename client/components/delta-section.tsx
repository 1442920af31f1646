import type { ReactNode } from 'react';
import type { DeltaParts, ShownDelta } from '../format/shown-delta.ts';
import { Card } from './card.tsx';
import { DeltaTable, type DeltaTableProps } from './delta-table.tsx';
import { useScopedId } from './id-scope.ts';
import classes from './table.module.css';

type Props = DeltaTableProps &
  Pick<DeltaParts, 'unmeasured'> & {
    id: string;
    label: string;
    /** What a hollow mark is. */
    mark: ReactNode;
    twin: ReactNode;
  };

/** Every figure on one axis: what the verdict rests on first, and what was not measured in one line. */
export function DeltaSection({ id, label, mark, twin, unmeasured, ...table }: Props) {
  return (
    <section id={useScopedId(id)} aria-label={label} className={classes.section}>
      <Card flush>
        <DeltaTable {...table} />
      </Card>
      <p className="soft">
        <span className={classes.bar} /> {table.ci} and center <span className={classes.deltaSectionHollow} />{' '}
        {mark} <span className={classes.deltaSectionBand} /> {twin} <span className={classes.dashed} />{' '}
        tolerance, ±{Math.round(100 * table.tolerance)} %
      </p>
      <Unmeasured rows={unmeasured} />
    </section>
  );
}

function Unmeasured({ rows }: { rows: readonly ShownDelta[] }) {
  if (rows.length === 0) return null;
  return (
    <details className={classes.unmeasured}>
      <summary>Not measured ({rows.length})</summary>
      <dl>
        {rows.map((row) => (
          <UnmeasuredRow key={row.id} row={row} />
        ))}
      </dl>
    </details>
  );
}

function UnmeasuredRow({ row: { id, anchor, title, lines } }: { row: ShownDelta }) {
  return (
    <div id={useScopedId(anchor)} data-testid={`metric-row-${id}`}>
      <dt>{title}</dt>
      <dd>{lines.join(' ')}</dd>
    </div>
  );
}
