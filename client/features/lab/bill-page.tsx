import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { examplesQuery, recentQuery } from '../../api/queries.ts';
import { PageHead, Waiting } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { LinkButton } from '../../components/links.tsx';
import { LabTabs } from '../../components/start-form.tsx';
import { printWhen } from '../../format/printed-figures.ts';
import { LogField } from './log-field.tsx';
import { BillFields, fieldsOf, useTraffic } from './traffic-bill.tsx';

/** The bill by the newest price list, or by the example until there is one. The file of a list cannot contain the worker that reads a log. */
export default function BillPage() {
  const newest = useQuery(recentQuery('prices', 1, 'finished'));
  const examples = useQuery(examplesQuery);
  const [own] = newest.data ?? [];
  const example = examples.data?.find(({ name }) => name === 'prices');
  const isWaiting = newest.isPending || (own === undefined && examples.isPending);
  return (
    <>
      <PageHead tab="Bill" title="What will HTTPS cost you?" above={<LabTabs />}>
        <p>Your traffic, by the prices of a server. To share a bill, copy its address.</p>
      </PageHead>
      <ProblemNotice error={newest.error ?? examples.error} />
      {isWaiting ? <Waiting>Loading price lists</Waiting> : null}
      {own === undefined ? null : (
        <BillBy id={own.id}>
          By <Link to={own.url}>{own.title}</Link>, {printWhen(own.createdAt)}.
        </BillBy>
      )}
      {isWaiting || own !== undefined || example === undefined ? null : (
        <BillBy id={example.id}>
          By an <Link to={example.url}>example</Link>, {example.measured.replace(/^M/, 'm')}. Your server
          costs something else. <LinkButton to="/lab/prices">Measure your prices…</LinkButton>
        </BillBy>
      )}
    </>
  );
}

function BillBy({ id, children }: { id: string; children: ReactNode }) {
  const { set } = useTraffic();
  return (
    <div className="stack">
      <p>{children}</p>
      <BillFields list={id} />
      <LogField take={(known) => set(fieldsOf(known))} />
    </div>
  );
}
