import type { Kysely } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration sees tables that exist in no type
export type AnyTables = Record<string, any>;
export type Row = Record<string, string | number | null | undefined>;

const rowsAtOnce = 200;

/** Page by page, as the wide columns of all rows together may not fit into memory. Migrations that were released use it: what it does stays as it is. */
export async function eachRow(
  queries: Kysely<AnyTables>,
  table: string,
  carry: (row: Row) => Promise<void>,
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await queries
      .selectFrom(table)
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute();
    for (const row of rows) await carry(row as Row);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = String(last.id);
  }
}
