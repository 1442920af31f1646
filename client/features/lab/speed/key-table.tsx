import { printChange, printChangeInterval, printNumber } from '../../../../shared/base/quantity.ts';
import { leadingPerS } from '../../../../shared/kinds/speed/leading-speed.ts';
import type { SpeedRow } from '../../../../shared/kinds/speed/speed.ts';
import { LongTable } from '../../../components/long-table.tsx';
import { WhySlower } from './why-slower.tsx';

/** Operations without a size: signatures, key agreement, encapsulation. */
export function KeyTable({ rows }: { rows: readonly SpeedRow[] }) {
  return (
    <>
      <LongTable
        caption="Operations per second of CPU time"
        first={8}
        what="operation"
        narrow={rows.length > 8 ? 'scroll' : 'cards'}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Operation', cell: ({ primitive, operation }) => `${primitive} ${operation}` },
          { label: 'Per second', cell: (row) => printNumber(leadingPerS(row).operations, 0) },
          { label: 'µs', cell: (row) => printNumber(1e6 / leadingPerS(row).operations, 1) },
          { label: 'Through Node', cell: printBeside },
        ]}
      />
      <WhySlower rows={rows} />
    </>
  );
}

function printBeside({ openssl }: SpeedRow): string {
  if (openssl.status === 'missing') return openssl.reason === '' ? '–' : openssl.reason;
  if (openssl.ratio === null) return '–';
  return `${printChange(openssl.ratio.center)} (${printChangeInterval(openssl.ratio)})`;
}
