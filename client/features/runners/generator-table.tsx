import type { GeneratorHost } from '../../../shared/measurement/generator-host.ts';
import { clockInWords } from '../../../shared/words/host-words.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { printCount } from '../../format/count.ts';

const columns: Column<GeneratorHost>[] = [
  { label: 'Generator', cell: ({ name }) => name },
  {
    label: 'State',
    cell: ({ state }) =>
      state === 'busy' ? <Badge tone="good">Generating</Badge> : <Badge tone="quiet">Idle</Badge>,
  },
  { label: 'Address', cell: ({ address }) => address },
  { label: 'Offers', cell: ({ cores }) => printCount(cores, 'core') },
  { label: 'May load', cell: ({ allow }) => allow.join(', ') || 'nothing' },
  { label: 'Clock', cell: ({ clock }) => clockInWords(clock) },
];

/** Hosts that have joined with their load generator. */
export function GeneratorTable({ generators }: { generators: readonly GeneratorHost[] }) {
  return <DataTable text caption="Generators" columns={columns} rows={generators} keyOf={keyOf} />;
}

/** A pod of a run and a host may have the same name. */
function keyOf({ name, address }: GeneratorHost): string {
  return `${name} ${address}`;
}
