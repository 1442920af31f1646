import { printChange, printChangeInterval, printNumber } from '../../../../shared/quantity.ts';
import type { SpeedRow } from '../../../../shared/speed.ts';
import { DataTable } from '../../../components/data-table.tsx';

/** Operations without a size: signatures, key agreement, encapsulation. */
export function KeyTable({ rows }: { rows: readonly SpeedRow[] }) {
  const explained = rows.filter(({ explanation }) => explanation !== null);
  return (
    <>
      <DataTable
        caption="Operations a second of CPU time"
        narrow={rows.length > 8 ? 'scroll' : 'cards'}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Operation', cell: ({ primitive, operation }) => `${primitive} ${operation}` },
          {
            label: 'Per second',
            numeric: true,
            cell: ({ operationsPerS }) => printNumber(operationsPerS.center, 0),
          },
          {
            label: 'µs',
            numeric: true,
            cell: ({ operationsPerS }) => printNumber(1e6 / operationsPerS.center, 1),
          },
          { label: 'Beside openssl speed', numeric: true, cell: printBeside },
        ]}
      />
      {explained.length === 0 ? null : (
        <details>
          <summary>Why some are slower than openssl speed</summary>
          {explained.map(({ id, primitive, operation, explanation }) => (
            <p key={id}>
              {primitive} {operation}: {explanation}
            </p>
          ))}
        </details>
      )}
    </>
  );
}

function printBeside({ openssl }: SpeedRow): string {
  if (openssl.status === 'missing') return openssl.reason === '' ? '–' : openssl.reason;
  if (openssl.ratio === null) return '–';
  return `${printChange(openssl.ratio.center)} (${printChangeInterval(openssl.ratio)})`;
}
