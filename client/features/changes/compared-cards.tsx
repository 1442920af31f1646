import { Link } from 'react-router';
import type { ComparedRun, RunChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { CardList } from '../../components/card-list.tsx';
import { printCount } from '../../format/count.ts';
import { sidesOf } from '../../format/side.ts';
import { printWhen } from '../../format/when.ts';
import classes from './changes.module.css';

/** A card for each of the two results, with its own verdict. */
export function ComparedCards({ changes: { from, to } }: { changes: RunChanges }) {
  return (
    <CardList label="Compared results" ordered facts>
      <ComparedCard run={from} place="First" />
      <ComparedCard run={to} place="Second" />
    </CardList>
  );
}

function ComparedCard({ run, place }: { run: ComparedRun; place: string }) {
  const { url, title, createdAt, preset, sides, launches, verdict } = run;
  const { baseline, comparison } = sidesOf(sides);
  const facts = [
    `${baseline.label} and ${comparison.label}`,
    preset,
    ...(launches === 0 ? [] : [printCount(launches, 'launch')]),
  ];
  return (
    <li>
      <p className={classes.place}>
        {place}, <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
      </p>
      <Link to={url}>{verdict.sentence}</Link>
      <p>{title}</p>
      <p>{facts.join(' · ')}</p>
    </li>
  );
}
