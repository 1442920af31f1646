import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { withoutPrivateKeys } from '../../../shared/base/pem.ts';
import { declaredViews } from '../../../shared/measurement/history.ts';
import type { Column } from './migrations/columns.ts';
import { firstTables } from './migrations/first-tables.ts';
import { packText, unpackText } from './packed-text.ts';
import type { Tables } from './tables.ts';

/**
 * Cuts private keys out of whatever was stored before requests were refused that hold one, and writes the database anew, so that
 * its file holds none either. What is cut already stays as it is, so a start that was interrupted does it again.
 * @returns what was done, in a sentence for the log; null where there was none
 */
export async function cutPrivateKeys(queries: Kysely<Tables>): Promise<string | null> {
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter;
  const cut: string[] = [];
  for (const column of columns) {
    const count = await cutColumn({ ...column, queries, isPostgres });
    cut.push(...Array<string>(count).fill(column.table));
  }
  const remains = await (isPostgres ? rewritePostgres(queries, new Set(cut)) : rewriteSqlite(queries));
  if (cut.length === 0) return null;
  const texts = cut.length === 1 ? 'one stored text' : `${cut.length} stored texts`;
  const others = isPostgres ? 'Backups and PostgreSQL’s write-ahead log' : 'Backups';
  return `Private keys were cut out of ${texts}. ${others} from before still hold them: make new backups, and new keys.${remains}`;
}

type Stored = { table: string; column: string; isPacked: boolean };

/** Wherever a text stands. The audit log is only ever added to, and names what was done. */
const columns: readonly Stored[] = [
  ...Object.entries<Record<string, Column<unknown>>>(firstTables)
    .filter(([table]) => table !== 'auditLog')
    .flatMap(([table, all]) =>
      Object.entries(all)
        .filter(([, { type }]) => type === 'text' || type === 'bytea')
        .map(([column, { type }]) => ({ table, column, isPacked: type === 'bytea' })),
    ),
  ...declaredViews.flatMap(({ table, columns: all }) =>
    all.filter(({ type }) => type === 'text').map(({ name }) => ({ table, column: name, isPacked: false })),
  ),
];

/** @param row where the row stands, by which both databases find it at once */
type Place = Stored & { queries: Kysely<Tables>; isPostgres: boolean };

async function cutColumn(place: Place): Promise<number> {
  const { queries, table, column, isPacked, isPostgres } = place;
  const row = isPostgres ? sql`ctid` : sql`rowid`;
  const suspect = isPacked ? sql`true` : sql`lower(${sql.ref(column)}) like '%private key%'`;
  const { rows } = await sql<{ row: unknown }>`
    select ${row} as "row" from ${sql.table(table)} where ${suspect}`.execute(queries);
  let count = 0;
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce);
    const cut = await Promise.all(some.map((each) => cutRow(place, whereRow(each.row, isPostgres))));
    count += cut.filter((isCut) => isCut).length;
  }
  return count;
}

/** Documents that are unpacked at the same time, each of some megabytes. */
const atOnce = 8;

function whereRow(row: unknown, isPostgres: boolean): RawBuilder<unknown> {
  return isPostgres ? sql`ctid = ${row}::tid` : sql`rowid = ${row}`;
}

/** One that somebody else changes meanwhile has been written by a version that stores no key. */
async function cutRow({ queries, table, column }: Place, where: RawBuilder<unknown>): Promise<boolean> {
  const stored = sql.ref(column);
  const { rows } = await sql<{ value: string | Uint8Array }>`
    select ${stored} as value from ${sql.table(table)} where ${where}`.execute(queries);
  const value = rows[0]?.value ?? '';
  // A damaged one is told to whoever reads it.
  const text = typeof value === 'string' ? value : await unpackText(value).catch(() => '');
  const cut = withoutPrivateKeys(text);
  if (cut === text) return false;
  const changed = typeof value === 'string' ? cut : await packText(cut);
  await sql`
    update ${sql.table(table)} set ${stored} = ${changed} where ${where} and ${stored} = ${value}`.execute(
    queries,
  );
  return true;
}

/** Pages that are free, and the log, keep what was in them. */
async function rewriteSqlite(queries: Kysely<Tables>): Promise<string> {
  await sql`vacuum`.execute(queries);
  await sql`pragma wal_checkpoint(truncate)`.execute(queries);
  return '';
}

/** Rows of before stay in the files of their table until it is written anew. Others may use it for longer than a query may take. */
async function rewritePostgres(queries: Kysely<Tables>, tables: ReadonlySet<string>): Promise<string> {
  try {
    for (const table of tables) await sql`vacuum full ${sql.table(table)}`.execute(queries);
    return '';
  } catch {
    return ' PostgreSQL did not write its tables anew: run VACUUM FULL.';
  }
}
