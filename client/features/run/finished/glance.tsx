import { weightOf } from '../../../../shared/words/digest/digest.ts';
import { Badge } from '../../../components/badge.tsx';
import { CardList } from '../../../components/card-list.tsx';
import { DistributionStrip } from '../../../components/distribution-strip.tsx';
import { SideMark } from '../../../components/side-mark.tsx';
import type { Sides } from '../../../format/side.ts';
import type { DeltaGroup, DeltaRow } from './delta-rows.ts';
import classes from './glance.module.css';

/** The primary metrics, which the verdict is corrected for, large enough to read across a table. */
export function Glance({ groups, sides }: { groups: readonly DeltaGroup[]; sides: Sides }) {
  const rows = groups.flatMap((group) => group.rows).filter(({ metric }) => metric.primary);
  const byWeight = rows.toSorted((a, b) => weightOf(b.metric) - weightOf(a.metric));
  return (
    <CardList label="Primary metrics">
      {byWeight.map((row) => (
        <GlanceCard key={row.metric.id} row={row} sides={sides} />
      ))}
    </CardList>
  );
}

function GlanceCard({ row, sides }: { row: DeltaRow; sides: Sides }) {
  const { metric, anchor, shift, look, baseline, comparison, strip } = row;
  return (
    <li>
      <div className={classes.head}>
        <a href={`#${anchor}`}>{metric.title}</a>
        <Badge tone={look.tone} icon={look.icon}>
          {look.word}
        </Badge>
      </div>
      <p className={classes.shift}>
        <strong data-real={typeof shift?.center === 'string'}>
          {shift?.center ?? shift?.interval ?? '–'}
        </strong>{' '}
        {shift === null ? null : <span>{shift.center === null ? '95 % CI' : shift.interval}</span>}
      </p>
      <p className={classes.sides}>
        <span>
          <SideMark {...sides.baseline} /> {baseline ?? '–'}
        </span>
        <span>
          <SideMark {...sides.comparison} /> {comparison ?? '–'}
        </span>
      </p>
      {strip === null ? null : (
        <div className={classes.strip}>
          <DistributionStrip {...strip} />
        </div>
      )}
    </li>
  );
}
