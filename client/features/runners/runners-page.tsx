import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RunnerList } from '../../../shared/measurement/runner.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { runnersQuery } from '../../api/runners-query.ts';
import { Answer } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Section } from '../../components/section.tsx';
import { GeneratorTable } from './generator-table.tsx';
import { RunnerTable } from './runner-table.tsx';

/** Who measures for the dashboards on this database, and what. */
export default function RunnersPage() {
  return (
    <>
      <PageHead tab="Runners" title="Runners">
        <p>
          Runners take measurements from the queue of every dashboard on the same PostgreSQL.{' '}
          <Link to="/docs/runners">How to start one</Link>
        </p>
      </PageHead>
      <Answer of={useQuery(runnersQuery)} waiting="Loading the runners">
        {(data) => <Runners {...data} />}
      </Answer>
    </>
  );
}

function Runners({ runners, generators, stranded }: RunnerList) {
  return (
    <>
      <Card flush={runners !== null && runners.length > 0}>
        {runners !== null && runners.length > 0 ? (
          <RunnerTable runners={runners} />
        ) : (
          <p>{whyNone(runners)}</p>
        )}
      </Card>
      {generators === null ? null : (
        <Section
          id="generators"
          title="Generators"
          lead={
            <>
              Hosts that offer their load generator.{' '}
              <Link to="/docs/hosts#load-from-other-hosts">How to start one</Link>
            </>
          }
          card={generators.length > 0 ? 'flush' : true}
        >
          {generators.length > 0 ? (
            <GeneratorTable generators={generators} />
          ) : (
            <p>No generator has joined.</p>
          )}
        </Section>
      )}
      {stranded.length === 0 ? null : (
        <Notice tone="warn" title="Waiting for a runner">
          {stranded.map(({ id, url, title, labels }) => (
            <p key={id}>
              <Link to={url}>{title}</Link>: {whyWaiting(printLabels(labels))}
            </p>
          ))}
        </Notice>
      )}
    </>
  );
}

function whyWaiting(labels: string): string {
  return labels === '' ? 'no runner is connected.' : `no runner with ${labels} is connected.`;
}

function whyNone(runners: readonly unknown[] | null): string {
  return runners === null
    ? 'This server stores its results in SQLite. Runners need PostgreSQL.'
    : 'No runner is connected. Measurements wait until one is.';
}
