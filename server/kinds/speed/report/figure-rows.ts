import type { SpeedDocument, SpeedRow } from '../../../../shared/kinds/speed/speed.ts';
import { type Column, intervalColumns, type Table, tableOf } from '../../../base/text/table.ts';

/** One row an operation and size, with the reason where `openssl speed` has no figure. */
export function figureRows({ id, rows }: SpeedDocument): Table {
  return tableOf([{ name: 'lab_id', read: () => id }, ...columns], rows);
}

const columns: Column<SpeedRow>[] = [
  { name: 'row', read: ({ id }) => id },
  { name: 'group', read: ({ group }) => group },
  { name: 'primitive', read: ({ primitive }) => primitive },
  { name: 'operation', read: ({ operation }) => operation },
  { name: 'bytes', read: ({ bytes }) => bytes },
  ...intervalColumns<SpeedRow>('operations_per_s', ({ operationsPerS }) => operationsPerS),
  { name: 'bytes_per_s', read: ({ bytesPerS }) => bytesPerS?.center },
  { name: 'openssl_operations_per_s', read: (row) => reference(row)?.operationsPerS.center },
  { name: 'ratio_to_openssl', read: (row) => reference(row)?.ratio?.center },
  { name: 'ratio_low', read: (row) => reference(row)?.ratio?.lo },
  { name: 'ratio_high', read: (row) => reference(row)?.ratio?.hi },
  { name: 'openssl_missing', read: ({ openssl }) => (openssl.status === 'missing' ? openssl.reason : null) },
  { name: 'explanation', read: ({ explanation }) => explanation },
];

function reference({ openssl }: SpeedRow) {
  return openssl.status === 'measured' ? openssl : null;
}
