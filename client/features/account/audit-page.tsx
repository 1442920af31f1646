import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { addressOf } from '../../../shared/api/call-endpoint.ts';
import { auditEndpoints } from '../../../shared/api/housekeeping-endpoints.ts';
import { type AuditEvent, printActor } from '../../../shared/team/team.ts';
import { auditQuery } from '../../api/result-queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { Answer } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ListEnd } from '../../components/links.tsx';
import { printWhen } from '../../format/printed-figures.ts';

/** Who started and changed what, for admins. */
export default function AuditPage() {
  const list = useInfiniteQuery(auditQuery);
  return (
    <>
      <PageHead tab="Audit log" title="Audit log">
        <p>
          Who started and changed what on this server. Download it as{' '}
          <a href={addressOf(auditEndpoints.exportAudit, { query: { as: 'csv' } })}>CSV</a> or{' '}
          <a href={addressOf(auditEndpoints.exportAudit, { query: { as: 'jsonl' } })}>JSON Lines</a>.
        </p>
      </PageHead>
      <Answer of={list} waiting="Loading the audit log">
        {({ pages }) => {
          const events = pages.flatMap((page) => page.events);
          return events.length === 0 ? (
            <Card>
              <p>Nothing was started or changed yet.</p>
            </Card>
          ) : (
            <Card flush>
              <DataTable text caption="Newest first" columns={columns} rows={events} keyOf={({ id }) => id} />
            </Card>
          );
        }}
      </Answer>
      <ListEnd list={list}>{null}</ListEnd>
    </>
  );
}

const columns: Column<AuditEvent>[] = [
  { label: 'When', cell: ({ at }) => printWhen(at) },
  { label: 'Who', cell: ({ who, key }) => printActor({ name: who, key }) },
  { label: 'From', cell: ({ from }) => from ?? '' },
  { label: 'Action', cell: ({ act }) => act },
  { label: 'Subject', cell: ({ subject, host }) => <Subject text={host ?? subject ?? ''} /> },
  { label: 'Note', cell: ({ note }) => <Subject text={note ?? ''} /> },
];

/** Results have an address. */
function Subject({ text }: { text: string }) {
  return /^\/[rl]\/\w{22}$/.test(text) ? <Link to={text}>{text}</Link> : text;
}
