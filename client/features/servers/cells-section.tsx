import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CellResult, ServersDocument } from '../../../shared/kinds/servers/servers-result.ts';
import { AppLink } from '../../components/app-link.tsx';
import type { Column } from '../../components/data-table.tsx';
import { LongTable } from '../../components/long-table.tsx';
import { Section } from '../../components/section.tsx';
import { factorTitles, varying } from '../../format/factor-words.ts';
import { printRatio } from '../../format/interval.ts';
import { namesOf, printCenter, printRate, printShare } from './print-cell.ts';
import classes from './servers.module.css';

const orders = {
  plan: { title: 'plan order', of: () => 0 },
  http: {
    title: 'HTTP requests/s, highest first',
    of: ({ throughput }: CellResult) => -(throughput?.http.center ?? 0),
  },
  https: {
    title: 'HTTPS requests/s, highest first',
    of: ({ throughput }: CellResult) => -(throughput?.https.center ?? 0),
  },
  cpu: { title: 'CPU overhead, highest first', of: ({ cpu }: CellResult) => -(cpu?.ratio.center ?? 0) },
} as const;
type Order = keyof typeof orders;

/** Every cell, sorted and filtered. */
export function CellsSection({
  document: { id, cells },
}: {
  document: Pick<ServersDocument, 'id' | 'cells'>;
}) {
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<Order>('plan');
  const words = filter.toLowerCase().split(/\s+/);
  const found = cells
    .filter(({ cell }) => words.every((word) => cell.id.includes(word)))
    .toSorted((a, b) => orders[order].of(a) - orders[order].of(b));
  const factors = varying(cells.map(({ cell }) => cell));
  const nameOf = namesOf(cells.map(({ cell }) => cell));
  const columns: Column<CellResult>[] = [
    {
      label: 'Cell',
      cell: ({ cell }) => (
        <AppLink id={cell.id} to={`/r/${id}/cells/${cell.id}`} className={classes.cell}>
          {nameOf(cell)}
        </AppLink>
      ),
    },
    { label: 'HTTP, requests/s', numeric: true, cell: (result) => printRate(result, 'http') },
    {
      label: 'HTTPS',
      numeric: true,
      cell: (result) => result.failures[0] ?? printRate(result, 'https'),
    },
    { label: 'Change', numeric: true, cell: ({ throughput }) => printRatio(throughput?.ratio) },
    { label: 'HTTP, CPU µs', numeric: true, cell: ({ cpu }) => printCenter(cpu?.http, 1) },
    { label: 'HTTPS, CPU µs', numeric: true, cell: ({ cpu }) => printCenter(cpu?.https, 1) },
    { label: 'CPU change', numeric: true, cell: ({ cpu }) => printRatio(cpu?.ratio) },
    { label: 'Errors', numeric: true, cell: ({ errorShare }) => printShare(errorShare) },
  ];
  return (
    <Section
      id="cells"
      title="All cells"
      lead={`They differ in ${factors.map((factor) => factorTitles[factor].toLowerCase()).join(', ') || 'nothing'}.`}
      card
    >
      <div className="stack wide">
        <TextInput
          label="Filter"
          placeholder="such as nginx rsa2048 c32"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <NativeSelect
          label="Order"
          value={order}
          onChange={(event) => setOrder(event.currentTarget.value as Order)}
          data={Object.entries(orders).map(([value, { title }]) => ({ value, label: title }))}
        />
        <LongTable
          caption="Cells of the sweep"
          testId="servers-cells"
          first={30}
          what="cell"
          narrow="scroll"
          rows={found}
          keyOf={({ cell }) => cell.id}
          columns={columns}
        />
      </div>
    </Section>
  );
}
