import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import classes from './delta-section.module.css';
import { DeltaTable, type DeltaTableProps, type ShownDelta } from './delta-table.tsx';

type Props = DeltaTableProps & {
  id: string;
  label: string;
  /** What a hollow mark is. */
  mark: ReactNode;
  twin: ReactNode;
  /** What has no figure, and why. */
  unmeasured: readonly Pick<ShownDelta, 'id' | 'anchor' | 'title' | 'lines'>[];
};

/** Every figure on one axis: what the verdict rests on first, and what was not measured in one line. */
export function DeltaSection({ id, label, mark, twin, unmeasured, ...table }: Props) {
  return (
    <section id={id} aria-label={label} className={classes.section}>
      <Card flush>
        <DeltaTable {...table} />
      </Card>
      <p className={classes.key}>
        <span className={classes.bar} /> 95 % CI and center <span className={classes.hollow} /> {mark}{' '}
        <span className={classes.band} /> {twin} <span className={classes.dashed} /> tolerance, ±
        {Math.round(100 * table.tolerance)} %
      </p>
      <Unmeasured rows={unmeasured} />
    </section>
  );
}

function Unmeasured({ rows }: { rows: Props['unmeasured'] }) {
  if (rows.length === 0) return null;
  return (
    <details className={classes.unmeasured}>
      <summary>Not measured ({rows.length})</summary>
      <dl>
        {rows.map(({ id, anchor, title, lines }) => (
          <div key={id} id={anchor} data-testid={`metric-row-${id}`}>
            <dt>{title}</dt>
            <dd>{lines.join(' ')}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
