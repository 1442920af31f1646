import type { TargetAction, TargetEvent } from '../../../shared/target/permitted-target.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { printWhen } from '../../format/when.ts';

const actions: Record<TargetAction, string> = {
  allowed: 'Allowed',
  withdrawn: 'Withdrew',
  launched: 'Started a measurement',
  recorded: 'Recorded',
  replayed: 'Replayed',
  probed: 'Probed',
  checked: 'Checked',
  stopped: 'Stopped all load',
};

const columns: [Column<TargetEvent>, ...Column<TargetEvent>[]] = [
  { label: 'When', cell: ({ at }) => printWhen(at) },
  { label: 'Who', cell: ({ who }) => who },
  { label: 'What', cell: ({ what }) => actions[what] },
  { label: 'Host', cell: ({ host }) => host ?? 'All' },
  {
    label: 'Note',
    cell: ({ what, note }) =>
      what === 'launched' && note !== null ? <a href={note}>{note}</a> : (note ?? ''),
  },
];

export function LogTable({ log }: { log: readonly TargetEvent[] }) {
  return <DataTable caption="Newest first" columns={columns} rows={log} keyOf={({ id }) => id} />;
}
