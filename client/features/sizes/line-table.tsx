import { printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { chosenLine, type SizeFit } from '../../../shared/kinds/sizes/size-line.ts';
import type { ArmResult, SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { DataTable } from '../../components/data-table.tsx';
import { lookOfArm } from './arm-look.ts';

type Row = { arm: ArmResult; fit: SizeFit };

/** The study's table: Offset and TransferRate of each arm, and what a TLS record adds. */
export function LineTable({
  document,
  what,
}: {
  document: Pick<SizesDocument, 'arms' | 'load'>;
  what: 'latency' | 'cpu';
}) {
  const rows = document.arms.flatMap((arm): Row[] => {
    const fit = arm[what];
    return fit === null ? [] : [{ arm, fit }];
  });
  const notes = rows.flatMap(({ arm, fit }) =>
    chosenLine(fit).refusals.map((reason) => `${lookOfArm(arm).label}: ${reason}`),
  );
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable
        caption={what === 'latency' ? 'Fitted lines, time' : `Fitted lines, server CPU at load`}
        narrow="cards"
        rows={rows}
        keyOf={({ arm }) => String(arm.arm)}
        columns={[
          { label: 'Side', cell: ({ arm }) => lookOfArm(arm).label },
          {
            label: 'Offset, µs',
            numeric: true,
            cell: ({ fit }) => printInterval(chosenLine(fit).offsetUs, 1),
          },
          {
            label: what === 'latency' ? 'Rate, bytes/ms' : 'Bytes per ms of CPU',
            numeric: true,
            cell: ({ fit }) => {
              const { bytesPerMs } = chosenLine(fit);
              return bytesPerMs === null ? 'no clear limit' : printInterval(bytesPerMs, 0);
            },
          },
          {
            label: 'Per TLS record, µs',
            numeric: true,
            cell: ({ fit }) => {
              const { recordUs } = chosenLine(fit);
              return recordUs === null ? '–' : printInterval(recordUs, 1);
            },
          },
          {
            label: 'R²',
            numeric: true,
            cell: ({ fit }) => {
              const { rSquared } = chosenLine(fit);
              return rSquared === null ? '–' : printNumber(rSquared, 3);
            },
          },
        ]}
      />
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </>
  );
}

function printInterval({ center, lo, hi }: Estimate, decimals: number): string {
  const print = (value: number) => printNumber(value, decimals);
  return `${print(center)} (${print(lo)} to ${print(hi)})`;
}
