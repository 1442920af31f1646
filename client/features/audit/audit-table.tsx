import { Link } from 'react-router';
import type { AuditEvent } from '../../../shared/team/audit.ts';
import { printActor } from '../../../shared/team/identity.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { printWhen } from '../../format/when.ts';

const columns: [Column<AuditEvent>, ...Column<AuditEvent>[]] = [
  { label: 'When', cell: ({ at }) => printWhen(at) },
  { label: 'Who', cell: ({ who, key }) => printActor({ name: who, key }) },
  { label: 'From', cell: ({ from }) => from ?? '' },
  { label: 'Action', cell: ({ act }) => act },
  { label: 'Subject', cell: ({ subject, host }) => <Subject text={host ?? subject ?? ''} /> },
  { label: 'Note', cell: ({ note }) => <Subject text={note ?? ''} /> },
];

export function AuditTable({ events }: { events: readonly AuditEvent[] }) {
  return <DataTable caption="Newest first" columns={columns} rows={events} keyOf={({ id }) => id} />;
}

/** Results have an address. */
function Subject({ text }: { text: string }) {
  return /^\/[rl]\/\w{22}$/.test(text) ? <Link to={text}>{text}</Link> : text;
}
