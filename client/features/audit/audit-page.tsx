import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { auditEndpoints } from '../../../shared/api/audit-endpoints.ts';
import { addressOf } from '../../../shared/api/call-endpoint.ts';
import type { AuditEvent } from '../../../shared/team/audit.ts';
import { printActor } from '../../../shared/team/identity.ts';
import { auditQuery } from '../../api/audit-query.ts';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ListEnd } from '../../components/list-end.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { printWhen } from '../../format/when.ts';

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
      <ProblemNotice error={list.error} />
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

const columns: [Column<AuditEvent>, ...Column<AuditEvent>[]] = [
  { label: 'When', cell: ({ at }) => printWhen(at) },
  { label: 'Who', cell: ({ who, key }) => printActor({ name: who, key }) },
  { label: 'From', cell: ({ from }) => from ?? '' },
  { label: 'Action', cell: ({ act }) => act },
  { label: 'Subject', cell: ({ subject, host }) => <Subject text={host ?? subject ?? ''} /> },
  { label: 'Note', cell: ({ note }) => <Subject text={note ?? ''} /> },
];

function AuditTable({ events }: { events: readonly AuditEvent[] }) {
  return <DataTable text caption="Newest first" columns={columns} rows={events} keyOf={({ id }) => id} />;
}

/** Results have an address. */
function Subject({ text }: { text: string }) {
  return /^\/[rl]\/\w{22}$/.test(text) ? <Link to={text}>{text}</Link> : text;
}
