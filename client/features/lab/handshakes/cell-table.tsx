import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { HandshakesDocument, MeasuredCell } from '../../../../shared/lab.ts';
import { nameCell } from '../../../../shared/lab-sentence.ts';
import { printNumber } from '../../../../shared/quantity.ts';
import { Card } from '../../../components/card.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Section } from '../../../components/section.tsx';
import { printCount } from '../../../format/count.ts';
import { printRatio, printVersion } from './cell-rows.ts';

const mostRows = 250;

/** Every cell with every figure; a filter, as a whole grid has hundreds. */
export function CellTable({
  document: { baseline },
  cells,
}: {
  document: HandshakesDocument;
  cells: readonly MeasuredCell[];
}) {
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/);
  const found = cells.filter(({ cell }) => words.every((word) => cell.id.toLowerCase().includes(word)));
  const shown = found.slice(0, mostRows);
  return (
    <Section
      id="cells"
      title="Every cell"
      lead={
        baseline === null
          ? null
          : `Ratios are to ${nameCell(baseline.cell)}, full, paired within each round, with 95 % intervals.`
      }
    >
      <Card>
        {cells.length <= 12 ? null : (
          <TextInput
            label="Show only"
            placeholder="such as ML-DSA resumed"
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        )}
        {shown.length === found.length ? null : (
          <p>
            The first {shown.length} of {printCount(found.length, 'cell')}; say more to see fewer.
          </p>
        )}
        <DataTable
          caption="Cells of the grid"
          testId="lab-cells"
          rows={shown}
          keyOf={({ cell }) => cell.id}
          columns={columns}
        />
      </Card>
    </Section>
  );
}

const columns: [Column<MeasuredCell>, ...Column<MeasuredCell>[]] = [
  {
    label: 'Key, key agreement',
    cell: ({ cell }) => `${cell.key}, ${cell.group ?? 'RSA encryption'}`,
  },
  { label: 'Protocol and suite', cell: ({ cell }) => `${printVersion(cell.version)} ${cell.cipher}` },
  { label: 'Handshake', cell: ({ cell }) => cell.resumption },
  { label: 'Bytes each way', numeric: true, cell: ({ cell }) => printNumber(cell.bytes, 0) },
  {
    label: 'CPU, µs (5th to 95th percentile)',
    numeric: true,
    cell: ({ cpuUs }) =>
      `${printNumber(cpuUs.median, 0)} (${printNumber(cpuUs.p5, 0)} to ${printNumber(cpuUs.p95, 0)})`,
  },
  {
    label: 'Connections/s',
    numeric: true,
    cell: ({ connectionsPerS }) => printNumber(connectionsPerS, 0),
  },
  { label: '÷ baseline', numeric: true, cell: printRatio },
  {
    label: 'Bytes to server, to client',
    numeric: true,
    cell: ({ wire: { handshakeBytes, withTicketsBytes } }) =>
      `${printNumber(handshakeBytes.clientToServer, 0)}, ${printNumber(handshakeBytes.serverToClient, 0)} (${printNumber(withTicketsBytes.serverToClient, 0)} with tickets)`,
  },
  {
    label: 'Flights',
    numeric: true,
    cell: ({ wire }) => `${wire.flights}${wire.helloRetry ? ', retry' : ''}`,
  },
];
