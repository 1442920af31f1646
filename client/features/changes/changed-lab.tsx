import { Link } from 'react-router';
import type { LabChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { CardList } from '../../components/card-list.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { printWhen } from '../../format/when.ts';
import classes from './changes.module.css';
import { LabChart } from './lab-chart.tsx';
import { LabTable } from './lab-table.tsx';
import { SetupSection } from './setup-section.tsx';
import { Ways } from './ways.tsx';

/** What changed from one measurement of the lab to another, figure by figure. */
export function ChangedLab({ changes }: { changes: LabChanges }) {
  const { from, to, sentence, cautions, setup } = changes;
  return (
    <article>
      <PageHead tab="Comparison" title={sentence} testId="change" />
      <CardList label="Compared results" ordered facts>
        <ComparedLab lab={from} place="First" />
        <ComparedLab lab={to} place="Second" />
      </CardList>
      <Ways from={from.id} to={to.id} />
      {cautions.map((caution) => (
        <Notice key={caution} tone="note">
          <p>{caution}</p>
        </Notice>
      ))}
      <SetupSection differences={setup} />
      <LabChart changes={changes} />
      <LabTable changes={changes} />
    </article>
  );
}

function ComparedLab({ lab: { url, title, createdAt }, place }: { lab: LabChanges['from']; place: string }) {
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
