import type { DataRows } from '../../../shared/scenario/scenario.ts';

/** The values of a transaction's row; after the last row comes the first again. */
export function rowOf(data: DataRows, index: number): readonly string[] {
  return data.rows[index % data.rows.length] ?? [];
}
