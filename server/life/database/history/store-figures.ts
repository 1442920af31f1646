import type { Transaction } from 'kysely';
import { declaredViews, figuresVersion } from '../../../../shared/measurement/history.ts';
import type { Figures } from '../../../../shared/measurement/history-view.ts';
import { plainText } from '../plain-text.ts';
import type { Tables } from '../tables.ts';

/** SQLite binds up to 32,766 values to a statement; this leaves room for wider rows. */
const rowsAtOnce = 200;

/** Replaces what its document said before. Its document is stored in the same transaction. */
export async function storeFigures(
  transaction: Transaction<Tables>,
  measurementId: string,
  figures: Figures | null,
): Promise<void> {
  const queries = transaction.withoutPlugins().withTables<Record<string, Record<string, unknown>>>();
  for (const { table } of declaredViews) {
    await queries.deleteFrom(table).where('measurement_id', '=', measurementId).execute();
  }
  if (figures === null) return;
  const rows = figures.rows.map((row, place) => ({
    measurement_id: measurementId,
    place,
    ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, storable(value)])),
  }));
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await queries
      .insertInto(figures.view.table)
      .values(rows.slice(at, at + rowsAtOnce))
      .execute();
  }
}

export async function markFigures(transaction: Transaction<Tables>, measurementId: string): Promise<void> {
  await transaction
    .updateTable('documents')
    .set({ figuresVersion })
    .where('measurementId', '=', measurementId)
    .execute();
}

function storable(value: string | number | null): string | number | null {
  return typeof value === 'string' ? plainText(value) : value;
}
