import { useInfiniteQuery } from '@tanstack/react-query';
import { auditEndpoints } from '../../../shared/api/audit-endpoints.ts';
import { addressOf } from '../../../shared/api/call-endpoint.ts';
import { auditQuery } from '../../api/audit-query.ts';
import { problemOf } from '../../api/problem-of.ts';
import { Card } from '../../components/card.tsx';
import { ListEnd } from '../../components/list-end.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { AuditTable } from './audit-table.tsx';

/** Who started and changed what, for admins. */
export default function AuditPage() {
  const list = useInfiniteQuery(auditQuery);
  const events = list.data?.pages.flatMap((page) => page.events);
  return (
    <>
      <PageHead tab="Audit log" title="Audit log">
        <p>
          Who started and changed what on this server. Download it as{' '}
          <a href={addressOf(auditEndpoints.exportAudit, { query: { as: 'csv' } })}>CSV</a> or{' '}
          <a href={addressOf(auditEndpoints.exportAudit, { query: { as: 'jsonl' } })}>JSON Lines</a>.
        </p>
      </PageHead>
      {list.error === null ? null : <ProblemNotice problem={problemOf(list.error)} />}
      {list.isPending ? <Waiting>Loading the audit log</Waiting> : null}
      {events === undefined ? null : (
        <Card flush={events.length > 0}>
          {events.length === 0 ? <p>Nothing was started or changed yet.</p> : <AuditTable events={events} />}
        </Card>
      )}
      <ListEnd list={list}>{null}</ListEnd>
    </>
  );
}
