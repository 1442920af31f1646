import { printNumber } from '../../../../shared/base/quantity.ts';
import type { Ends, MeasuredCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { TableSection } from '../../../components/table-section.tsx';
import { labelsOf } from './cell-rows.ts';

/** What falls on each end, where it was measured in two processes. */
export function EndsSection({ cells }: { cells: readonly MeasuredCell[] }) {
  const apart = cells.flatMap((cell) => (cell.ends === null ? [] : [{ cell, ends: cell.ends }]));
  if (apart.length === 0) return null;
  const labelOf = labelsOf(apart.map(({ cell }) => cell));
  return (
    <TableSection
      id="ends"
      title="Server and client separately"
      lead="Each end in its own process, connected by a socket. Figures include kernel work on both ends."
      first={12}
      what="cell"
      caption="CPU of each end"
      rows={apart}
      keyOf={({ cell }) => cell.cell.id}
      columns={[
        { label: 'Connection', cell: ({ cell }) => `${labelOf(cell)}, ${cell.cell.resumption}` },
        { label: 'Server, µs', cell: ({ ends }) => printNumber(ends.serverCpuUs.center, 0) },
        { label: 'Client, µs', cell: ({ ends }) => printNumber(ends.clientCpuUs.center, 0) },
        { label: 'Server’s share', cell: ({ ends }) => shareOfServer(ends) },
      ]}
    />
  );
}

function shareOfServer({ serverCpuUs, clientCpuUs }: Ends): string {
  const both = serverCpuUs.center + clientCpuUs.center;
  return both === 0 ? '–' : `${printNumber((serverCpuUs.center / both) * 100, 0)} %`;
}
