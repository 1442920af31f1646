import { printNumber } from '../../../../shared/base/quantity.ts';
import type { PlainPair } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { TableSection } from '../../../components/table-section.tsx';

/** What the runtime costs by itself, which is in every figure of the grid. */
export function PlainSection({ plain }: { plain: readonly PlainPair[] }) {
  if (plain.length === 0) return null;
  return (
    <TableSection
      id="runtime"
      title="Runtime overhead"
      lead="The same streams, turns, and bytes without TLS. Every figure above includes this cost."
      caption="The same streams without TLS"
      narrow="cards"
      rows={plain}
      keyOf={({ bytes }) => bytes}
      columns={[
        { label: 'Bytes each way', cell: ({ bytes }) => printNumber(bytes, 0) },
        { label: 'CPU, µs', cell: ({ cpuUs }) => printNumber(cpuUs.median, 0) },
        {
          label: '5th to 95th percentile',
          cell: ({ cpuUs }) => `${printNumber(cpuUs.p5, 0)} to ${printNumber(cpuUs.p95, 0)}`,
        },
      ]}
    />
  );
}
