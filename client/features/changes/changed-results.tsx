import { Link } from 'react-router';
import { printLength } from '../../../shared/kinds/comparison/load-names.ts';
import type {
  ComparedRun,
  FigureChanges,
  RunChanges,
} from '../../../shared/kinds/comparison/result-changes.ts';
import { LookBadge } from '../../components/badge.tsx';
import { CardList } from '../../components/card-list.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Warnings } from '../../components/result-head.tsx';
import { lookOfChange } from '../../format/change-look.ts';
import { printCount } from '../../format/count.ts';
import { sidesOf } from '../../format/side.ts';
import { printWhen } from '../../format/when.ts';
import { ChangeTable } from './change-table.tsx';
import classes from './changes.module.css';
import { FigureChart } from './figure-chart.tsx';
import { FigureTable } from './figure-table.tsx';
import { FiguresSection } from './figures-section.tsx';
import { SetupSection } from './setup-section.tsx';
import { Ways } from './ways.tsx';

/** What changed from one result to another: the answer, the two results, differences in their set-up, then the evidence. */
export function ChangedResults({ changes }: { changes: RunChanges | FigureChanges }) {
  const { from, to, sentence, cautions, setup } = changes;
  const run = changes.kind === 'comparison' ? changes : null;
  const row = run?.metrics.find(({ id }) => id === run.metric);
  const look = row === undefined ? null : lookOfChange(row);
  return (
    <article>
      <PageHead
        tab={look === null ? 'Comparison' : `${look.word}, comparison`}
        title={sentence}
        testId="change"
        above={look === null ? null : <LookBadge look={look} />}
      >
        {run?.evidence == null ? null : <p>{run.evidence}</p>}
      </PageHead>
      <CardList label="Compared results" ordered facts>
        <ComparedResult result={from} place="First" />
        <ComparedResult result={to} place="Second" />
      </CardList>
      <Ways from={from.id} to={to.id} />
      <Warnings warnings={cautions} tone={run === null ? 'note' : 'warn'} />
      <SetupSection differences={setup} />
      {changes.kind === 'comparison' ? (
        <>
          <ChangeTable metrics={changes.metrics} />
          <FiguresSection changes={changes} />
        </>
      ) : (
        <>
          <FigureChart changes={changes} />
          <FigureTable changes={changes} />
        </>
      )}
    </article>
  );
}

type Compared = ComparedRun | FigureChanges['from'];

/** A run is called by its verdict, other results by their title. */
function ComparedResult({ result, place }: { result: Compared; place: string }) {
  const { url, title, createdAt } = result;
  return (
    <li>
      <p className={classes.place}>
        {place}, <time dateTime={new Date(createdAt).toISOString()}>{printWhen(createdAt)}</time>
      </p>
      <Link to={url} dir="auto">
        {'verdict' in result ? result.verdict.sentence : title}
      </Link>
      {'verdict' in result ? (
        <>
          <p>{title}</p>
          <p>{factsOf(result).join(' · ')}</p>
        </>
      ) : null}
    </li>
  );
}

function factsOf({ length, sides, launches }: ComparedRun): string[] {
  const { baseline, comparison } = sidesOf(sides);
  return [
    `${baseline.label} and ${comparison.label}`,
    printLength(length),
    ...(launches === 0 ? [] : [printCount(launches, 'launch')]),
  ];
}
