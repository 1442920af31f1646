import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { Card } from '../../../components/card.tsx';
import { useScopedId } from '../../../components/id-scope.ts';
import { sidesOf } from '../../../format/side.ts';
import { type DeltaRow, deltaView } from './delta-rows.ts';
import classes from './delta-section.module.css';
import { DeltaTable } from './delta-table.tsx';
import { Explained } from './explained.tsx';

/** Every metric on one axis: what the verdict rests on first, and what was not measured in one line. */
export function DeltaSection({ document }: { document: ShownRun }) {
  const view = deltaView(document);
  return (
    <section id={useScopedId('metrics')} aria-label="Metrics" className={classes.section}>
      <Card flush>
        <DeltaTable view={view} sides={sidesOf(document.sides)} />
      </Card>
      <p className={classes.key}>
        <span className={classes.bar} /> 95 % CI and center <span className={classes.hollow} />{' '}
        <Explained plan={document.plan}>{'each of the launches'}</Explained> <span className={classes.band} />{' '}
        <Explained plan={document.plan}>{'twin'}</Explained> <span className={classes.dashed} /> tolerance, ±
        {Math.round(100 * view.tolerance)} %
      </p>
      <Unmeasured rows={view.unmeasured} />
    </section>
  );
}

function Unmeasured({ rows }: { rows: readonly DeltaRow[] }) {
  if (rows.length === 0) return null;
  return (
    <details className={classes.unmeasured}>
      <summary>Not measured ({rows.length})</summary>
      <dl>
        {rows.map((row) => (
          <UnmeasuredRow key={row.metric.id} row={row} />
        ))}
      </dl>
    </details>
  );
}

function UnmeasuredRow({ row: { metric, anchor, reasons } }: { row: DeltaRow }) {
  return (
    <div id={useScopedId(anchor)} data-testid={`metric-row-${metric.id}`}>
      <dt>{metric.title}</dt>
      <dd>{reasons.join(' ')}</dd>
    </div>
  );
}
