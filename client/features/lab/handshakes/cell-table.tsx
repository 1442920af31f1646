import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { printNumber } from '../../../../shared/base/quantity.ts';
import {
  groupInWords,
  type HandshakesDocument,
  type MeasuredCell,
} from '../../../../shared/kinds/handshakes/handshakes.ts';
import { nameCell } from '../../../../shared/kinds/handshakes/handshakes-sentence.ts';
import { printVersion } from '../../../../shared/report/handshakes-report.ts';
import type { Column } from '../../../components/data-table.tsx';
import { LongTable } from '../../../components/long-table.tsx';
import { Section } from '../../../components/section.tsx';

type Props = { document: HandshakesDocument; cells: readonly MeasuredCell[] };

/** Every cell with every figure; what all of them share stands once, above. */
export function CellTable({ document: { baseline }, cells }: Props) {
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/);
  const found = cells.filter(({ cell }) => words.every((word) => cell.id.toLowerCase().includes(word)));
  const { shared, columns } = columnsOf(cells);
  const sharedFacts = shared.length === 0 ? [] : [`${shared.join('; ')}.`];
  const ratios =
    baseline === null
      ? []
      : [`Ratios are against ${nameCell(baseline.cell)}, full, paired within each round, with 95 % CI.`];
  return (
    <Section id="cells" title="All cells" lead={[...sharedFacts, ...ratios].join(' ')} card="stack">
      {cells.length <= 12 ? null : (
        <TextInput
          label="Filter"
          placeholder="such as ML-DSA resumed"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <LongTable
        caption="Cells of the grid"
        testId="handshake-cells"
        first={30}
        what="cell"
        rows={found}
        keyOf={({ cell }) => cell.id}
        columns={columns}
      />
    </Section>
  );
}

const first: Column<MeasuredCell> = {
  label: 'Key, key agreement',
  cell: ({ cell }) => `${cell.key}, ${groupInWords(cell) ?? 'RSA encryption'}`,
};

/** Left out where all cells have the same. */
const axes: Column<MeasuredCell>[] = [
  {
    label: 'Protocol and suite',
    numeric: false,
    cell: ({ cell }) => `${printVersion(cell.version)} ${cell.cipher}`,
  },
  { label: 'Handshake', numeric: false, cell: ({ cell }) => cell.resumption },
  { label: 'Bytes', cell: ({ cell }) => printNumber(cell.bytes, 0) },
];

const figures: Column<MeasuredCell>[] = [
  { label: 'CPU, µs', cell: ({ cpuUs }) => printNumber(cpuUs.median, 0) },
  { label: 'p5 to p95', cell: ({ cpuUs }) => `${printNumber(cpuUs.p5, 0)} to ${printNumber(cpuUs.p95, 0)}` },
  { label: 'User, µs', cell: ({ userUs }) => printNumber(userUs.median, 0) },
  { label: 'Per s', cell: ({ connectionsPerS }) => printNumber(connectionsPerS, 0) },
  { label: '÷ baseline', cell: printRatio },
  {
    label: 'Bytes up, down',
    cell: ({ wire: { handshakeBytes } }) =>
      `${printNumber(handshakeBytes.clientToServer, 0)}, ${printNumber(handshakeBytes.serverToClient, 0)}`,
  },
  {
    label: 'With tickets',
    cell: ({ wire: { withTicketsBytes } }) => printNumber(withTicketsBytes.serverToClient, 0),
  },
  { label: 'Flights', cell: ({ wire }) => `${wire.flights}${wire.helloRetry ? ', retry' : ''}` },
];

function columnsOf(cells: readonly MeasuredCell[]): {
  shared: string[];
  columns: [Column<MeasuredCell>, ...Column<MeasuredCell>[]];
} {
  const valuesOf = ({ cell }: Column<MeasuredCell>) => new Set(cells.map((each) => String(cell(each))));
  const same = axes.filter((axis) => valuesOf(axis).size === 1);
  return {
    shared: same.map((axis) => `${axis.label}: ${[...valuesOf(axis)].join()}`),
    columns: [first, ...axes.filter((axis) => !same.includes(axis)), ...figures],
  };
}

function printRatio({ ratio }: MeasuredCell): string {
  if (ratio === null) return '–';
  return `${printNumber(ratio.center, 2)} (${printNumber(ratio.lo, 2)} to ${printNumber(ratio.hi, 2)})`;
}
