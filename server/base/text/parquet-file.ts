import { type BasicType, parquetWriteBuffer } from 'hyparquet-writer';
import type { Cell, Table } from './terminal.ts';

/**
 * A Parquet file with a column for each of the table. Numbers are doubles, whatever they happen to be, so that files of
 * several measurements have the same types.
 */
export function printParquet([head = [], ...rows]: Table): Uint8Array {
  const columnData = head.map((name, column) => {
    const cells = rows.map((row) => row[column] ?? null);
    const type = typeOf(cells);
    const data = type === 'STRING' ? cells.map((cell) => (cell === null ? null : String(cell))) : cells;
    return { name: String(name), data, type, nullable: true };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData, createdBy: 'tls-toll' }));
}

/** A column without a value is one of figures that could not be measured. */
function typeOf(cells: readonly Cell[]): BasicType {
  const types = new Set(cells.filter((cell) => cell !== null).map((cell) => typeof cell));
  if (types.size === 0) return 'DOUBLE';
  if (types.size > 1) return 'STRING';
  return types.has('number') ? 'DOUBLE' : types.has('boolean') ? 'BOOLEAN' : 'STRING';
}
