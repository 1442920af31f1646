import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { runEndpoints } from '../../../shared/api/session-endpoints.ts';
import type { ServersDocument } from '../../../shared/kinds/servers/servers-result.ts';
import { printPrice } from '../../../shared/report/prices-report.ts';
import { mayCall } from '../../api/identity.ts';
import { newestListsQuery } from '../../api/result-queries.ts';
import { Section } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { printWhen } from '../../format/printed-figures.ts';

/** Items of the newest price list of each server, which tell why one is dearer than another. */
export function PricesSection({ document: { id, servers } }: { document: ServersDocument }) {
  const { data } = useQuery({ ...newestListsQuery(id), enabled: mayCall(runEndpoints.listPrices) });
  if (data === undefined || servers.length === 0) return null;
  const rows = servers.map(({ name, title }) => {
    const list = data.lists.find(({ server }) => server === name);
    return { name, title, list };
  });
  return (
    <Section
      id="prices"
      title="Why one server is dearer"
      lead="Server CPU and memory that HTTPS adds, from the newest price list of each server on this machine."
      card
    >
      <DataTable
        caption="What HTTPS adds, by server"
        narrow="scroll"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { label: 'Server', cell: ({ title, list }) => `${title} ${list?.version ?? ''}`.trim() },
          ...priceColumns.map(({ label, item, unit }) => ({
            label,
            cell: ({ list }: (typeof rows)[number]) => {
              const found = list?.items.find((each) => each.id === item);
              return found === undefined ? '–' : printPrice(unit, found.difference);
            },
          })),
          {
            label: 'Price list',
            numeric: false,
            cell: ({ name, list }) =>
              list === undefined ? (
                <Link to={`/lab/prices?server=${name}`}>Measure, 90 s</Link>
              ) : (
                <Link to={list.url}>
                  {list.key}, {printWhen(list.createdAt)}
                </Link>
              ),
          },
        ]}
      />
    </Section>
  );
}

const priceColumns = [
  { label: 'Request', item: 'request', unit: 'us' },
  { label: '16 kB', item: 'per_16_kb', unit: 'us' },
  { label: 'New connection', item: 'connection', unit: 'us' },
  { label: 'Open connection', item: 'memory', unit: 'memory_bytes' },
] as const;
