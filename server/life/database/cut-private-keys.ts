import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { withoutPrivateKeys } from '../../../shared/base/pem.ts';
import { declaredViews } from '../../../shared/measurement/history.ts';
import type { Column } from './migrations/columns.ts';
import { firstTables } from './migrations/first-tables.ts';
import { packText, unpackText } from './packed-text.ts';
import type { Tables } from './tables.ts';

/**
 * Cuts private keys out of data stored by versions that did not refuse them, and rewrites the database so that its file has none
 * either. The next start safely repeats an interrupted cut.
 * @returns a sentence for the log; null if there was no key
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
  const others = isPostgres ? 'backups and PostgreSQL’s write-ahead log' : 'backups';
  return `Private keys were cut out of ${texts}. Earlier ${others} still contain them: make new backups, and new keys.${remains}`;
}

type Stored = { table: string; column: string; isPacked: boolean };

/** Every column with text. Excludes the audit log, which is append-only and only names actions. */
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

/** A column, and the database that it is in. */
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

/** Documents of several megabytes each, unpacked at the same time. */
const atOnce = 8;

function whereRow(row: unknown, isPostgres: boolean): RawBuilder<unknown> {
  return isPostgres ? sql`ctid = ${row}::tid` : sql`rowid = ${row}`;
}

/** Skips a row that changes meanwhile, because only a version that stores no key can have written it. */
async function cutRow({ queries, table, column }: Place, where: RawBuilder<unknown>): Promise<boolean> {
  const stored = sql.ref(column);
  const { rows } = await sql<{ value: string | Uint8Array }>`
    select ${stored} as value from ${sql.table(table)} where ${where}`.execute(queries);
  const value = rows[0]?.value ?? '';
  // A damaged document is reported when somebody reads it.
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

/** Free pages and the log keep old contents. */
async function rewriteSqlite(queries: Kysely<Tables>): Promise<string> {
  await sql`vacuum`.execute(queries);
  await sql`pragma wal_checkpoint(truncate)`.execute(queries);
  return '';
}

/** Old rows stay in a table's files until it is rewritten. VACUUM FULL fails if others use the table for too long. */
async function rewritePostgres(queries: Kysely<Tables>, tables: ReadonlySet<string>): Promise<string> {
  try {
    for (const table of tables) await sql`vacuum full ${sql.table(table)}`.execute(queries);
    return '';
  } catch {
    return ' PostgreSQL did not rewrite its tables: run VACUUM FULL.';
  }
}
