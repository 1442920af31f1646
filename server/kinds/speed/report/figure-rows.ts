import type { SpeedDocument, SpeedRow } from '../../../../shared/kinds/speed/speed.ts';
import type { Cell, Table } from '../../../base/text/table.ts';

/** One row an operation and size, with the reason where `openssl speed` has no figure. */
export function figureRows({ id, rows }: SpeedDocument): Table {
  return [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ read }) => read(row, id)))];
}

type Column = { name: string; read: (row: SpeedRow, id: string) => Cell };

const columns: Column[] = [
  { name: 'lab_id', read: (_, id) => id },
  { name: 'row', read: ({ id }) => id },
  { name: 'group', read: ({ group }) => group },
  { name: 'primitive', read: ({ primitive }) => primitive },
  { name: 'operation', read: ({ operation }) => operation },
  { name: 'bytes', read: ({ bytes }) => bytes },
  { name: 'operations_per_s', read: ({ operationsPerS }) => operationsPerS.center },
  { name: 'operations_per_s_low', read: ({ operationsPerS }) => operationsPerS.lo },
  { name: 'operations_per_s_high', read: ({ operationsPerS }) => operationsPerS.hi },
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
