import { Link } from 'react-router';
import type { FigureChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { CardList } from '../../components/card-list.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { printWhen } from '../../format/when.ts';
import classes from './changes.module.css';
import { FigureChart } from './figure-chart.tsx';
import { FigureTable } from './figure-table.tsx';
import { SetupSection } from './setup-section.tsx';
import { Ways } from './ways.tsx';

/** What changed from one measurement of the lab to another, figure by figure. */
export function ChangedFigures({ changes }: { changes: FigureChanges }) {
  const { from, to, sentence, cautions, setup } = changes;
  return (
    <article>
      <PageHead tab="Comparison" title={sentence} testId="change" />
      <CardList label="Compared results" ordered facts>
        <ComparedResult lab={from} place="First" />
        <ComparedResult lab={to} place="Second" />
      </CardList>
      <Ways from={from.id} to={to.id} />
      {cautions.map((caution) => (
        <Notice key={caution} tone="note">
          <p>{caution}</p>
        </Notice>
      ))}
      <SetupSection differences={setup} />
      <FigureChart changes={changes} />
      <FigureTable changes={changes} />
    </article>
  );
}

function ComparedResult({
  lab: { url, title, createdAt },
  place,
}: {
  lab: FigureChanges['from'];
  place: string;
}) {
  return (
    <li>
      <p className={classes.place}>
        {place}, <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
      </p>
      <Link to={url} dir="auto">
        {title}
      </Link>
    </li>
  );
}
