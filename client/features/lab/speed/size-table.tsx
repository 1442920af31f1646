import { printChange, printNumber } from '../../../../shared/base/quantity.ts';
import { leadingPerS } from '../../../../shared/kinds/speed/leading-speed.ts';
import { type SpeedCost, type SpeedRow, speedSizes } from '../../../../shared/kinds/speed/speed.ts';
import type { Column } from '../../../components/data-table.tsx';
import { LongTable } from '../../../components/long-table.tsx';
import { WhySlower } from './why-slower.tsx';

type Line = { primitive: string; rows: readonly SpeedRow[]; cost: SpeedCost | undefined };

/** A line a primitive: MB/s of `openssl speed` at every size with the change through Node, and what a call and a byte cost there. */
export function SizeTable({ rows, costs }: { rows: readonly SpeedRow[]; costs: readonly SpeedCost[] }) {
  const lines = [...Map.groupBy(rows, ({ primitive }) => primitive)].map(([primitive, own]) => ({
    primitive,
    rows: own,
    cost: costs.find((each) => each.primitive === primitive),
  }));
  return (
    <>
      <LongTable
        caption="MB/s of CPU time, with the change through Node’s calls"
        first={6}
        what="primitive"
        narrow="scroll"
        rows={lines}
        keyOf={({ primitive }) => primitive}
        columns={columns}
      />
      <WhySlower rows={rows} />
    </>
  );
}

const columns: [Column<Line>, ...Column<Line>[]] = [
  { label: 'MB/s', cell: ({ primitive }) => primitive },
  ...speedSizes.map((size) => ({
    label: `${printNumber(size, 0)} B`,
    cell: ({ rows }: Line) => {
      const row = rows.find(({ bytes }) => bytes === size);
      return row === undefined ? '–' : printSpeed(row);
    },
  })),
  { label: 'Node per call, µs', cell: ({ cost }) => printFitted(cost?.node?.callUs) },
  { label: 'Node per byte, ns', cell: ({ cost }) => printFitted(cost?.node?.nsPerByte) },
];

/** Nothing where a line through the sizes misses one of them. */
function printFitted(value: number | undefined): string {
  return value === undefined ? '–' : printNumber(Math.max(0, value), 2);
}

function printSpeed(row: SpeedRow) {
  const { bytes } = leadingPerS(row);
  if (bytes === null) return '–';
  const { openssl } = row;
  const millions = bytes / 1e6;
  const change =
    openssl.status === 'measured' && openssl.ratio !== null ? printChange(openssl.ratio.center) : null;
  return (
    <>
      {printNumber(millions, millions < 100 ? 1 : 0)}
      {change === null ? null : <small> {change}</small>}
    </>
  );
}
