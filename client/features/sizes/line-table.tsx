import { printNumber } from '../../../shared/base/quantity.ts';
import { chosenLine } from '../../../shared/kinds/sizes/size-line.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { printInterval } from '../../format/interval.ts';
import { lookOfArm } from './arm-look.ts';

/** The study's table: Offset and TransferRate of each arm, and what a TLS record adds. */
export function LineTable({
  document,
  what,
}: {
  document: Pick<SizesDocument, 'arms' | 'load'>;
  what: 'latency' | 'cpu';
}) {
  const rows = document.arms.flatMap((arm) => {
    const fit = arm[what];
    return fit === null ? [] : [{ ...chosenLine(fit), side: lookOfArm(arm).label }];
  });
  const notes = rows.flatMap(({ side, refusals }) => refusals.map((reason) => `${side}: ${reason}`));
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable
        caption={what === 'latency' ? 'Fitted lines, time' : `Fitted lines, server CPU at load`}
        narrow="cards"
        rows={rows}
        keyOf={({ side }) => side}
        columns={[
          { label: 'Side', cell: ({ side }) => side },
          { label: 'Offset, µs', numeric: true, cell: ({ offsetUs }) => printInterval(offsetUs, 1) },
          {
            label: what === 'latency' ? 'Rate, bytes/ms' : 'Bytes per ms of CPU',
            numeric: true,
            cell: ({ bytesPerMs }) => (bytesPerMs === null ? 'no clear limit' : printInterval(bytesPerMs, 0)),
          },
          { label: 'Per TLS record, µs', numeric: true, cell: ({ recordUs }) => printInterval(recordUs, 1) },
          {
            label: 'R²',
            numeric: true,
            cell: ({ rSquared }) => (rSquared === null ? '–' : printNumber(rSquared, 3)),
          },
        ]}
      />
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </>
  );
}
