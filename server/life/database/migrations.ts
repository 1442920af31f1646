import {
  type CreateTableBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SchemaModule,
  sql,
} from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { withoutPrivateKeys } from '../../../shared/base/pem.ts';
import { describeProblem, problem } from '../../../shared/base/problem.ts';
import type { Length } from '../../../shared/kinds/comparison/options.ts';
import type { HistoryColumn, HistoryView } from '../../../shared/measurement/history-view.ts';
import { declaredViews, figuresVersion } from '../../../shared/results/history.ts';
import { type Column, ofMeasurement } from './columns.ts';
import { compositeKeys, firstTables, indexes, type TableName, uniqueIndexes } from './first-tables.ts';
import { packText, type Tables, unpackText } from './packed-text.ts';

/**
 * Comparisons had a preset where they have a length, and were measured otherwise. They stay in the list as made by an earlier version, and
 * no later run is pooled with them. Schedules with a preset pause. A database that is new has nothing of that.
 */
async function bringLengths(queries: Kysely<unknown>): Promise<void> {
  const tables = await queries.withoutPlugins().introspection.getTables();
  const figures = tables.find(({ name }) => name === 'metric_figures');
  if (figures?.columns.some(({ name }) => name === 'length') === true) return;
  await queries.schema.alterTable('measurements').addColumn('continues', 'text').execute();
  for (const { name, table } of declaredViews) {
    await sql`drop view if exists ${sql.table(name)}`.execute(queries);
    await sql`drop table if exists ${sql.table(table)}`.execute(queries);
  }
  await createHistory(queries);
  const stored = queries as Kysely<Tables>;
  await stored.updateTable('documents').set({ figuresVersion: 0 }).execute();
  await noteRuns(stored);
  await pauseSchedules(stored);
}

const lengthOf: Record<string, Length> = { quick: 'first', standard: 'quote', thorough: 'fine' };

async function noteRuns(queries: Kysely<Tables>): Promise<void> {
  const runs = queries.selectFrom('measurements').where('kind', '=', 'comparison');
  for (const { id, summary } of await runs.select(['id', 'summary']).execute()) {
    const { preset, pooled: _, found: __, ...rest } = JSON.parse(summary);
    const noted = { ...rest, length: lengthOf[preset] ?? 'first', verdict: null, earlier: true };
    await queries
      .updateTable('measurements')
      .set({ summary: JSON.stringify(noted), verdict: null })
      .where('id', '=', id)
      .execute();
  }
  // They have no rows in the history, so none are made at each start.
  await queries
    .updateTable('documents')
    .set({ figuresVersion })
    .where('measurementId', 'in', runs.select('id'))
    .execute();
}

async function pauseSchedules(queries: Kysely<Tables>): Promise<void> {
  const why = describeProblem('invalid_request', {
    detail: 'preset: unknown field; use length.',
    errors: [{ field: 'preset', message: 'unknown field; use length' }],
  });
  await queries
    .updateTable('schedules')
    .set({ state: 'paused', nextAt: null, lastAt: Date.now(), lastProblem: JSON.stringify(why) })
    .where('kind', '=', 'comparison')
    .where('state', '=', 'on')
    .where('request', 'like', '%"preset"%')
    .execute();
}

/**
 * One set for SQLite and PostgreSQL, in the order of the characters of their names. Never change one that was released: add
 * another.
 */
export const migrations: Record<string, Migration> = {
  '01-tables': { up: createTables },
  /** Recorded after `cutPrivateKeys`, because VACUUM can't run in a transaction. */
  '02-keyless': { up: async () => {} },
  '03-lengths': { up: bringLengths },
};

/**
 * Brings the schema, all of it or nothing, and the stored data up to date. Throws data_directory_unusable if a newer version has used
 * the database.
 * @returns a sentence for the log about changed data; null for none
 */
export async function migrate(
  queries: Kysely<Tables>,
  known: Record<string, Migration> = migrations,
): Promise<string | null> {
  const applied = await namesApplied(queries, Object.keys(known));
  const mayHoldKeys = applied.includes('01-tables') && !applied.includes('02-keyless');
  const notice = mayHoldKeys ? await cutPrivateKeys(queries) : null;
  const migrator = new Migrator({
    db: queries,
    provider: { getMigrations: async () => known },
    // Several may be written at the same time, and the one with the lower number be used later.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return notice;
}

/** Names of the migrations already applied. */
async function namesApplied(queries: Kysely<Tables>, known: readonly string[]): Promise<string[]> {
  const tables = await queries.withoutPlugins().introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const applied = await queries
    .withoutPlugins()
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const unknown = applied.find(({ name }) => !known.includes(name));
  if (unknown === undefined) return applied.map(({ name }) => name);
  throw problem(
    'data_directory_unusable',
    `The database was last used by a newer version of TLS Toll (schema ${unknown.name}, this one knows up to ${known.at(-1)}).`,
  );
}

/** The tables of 0.1.0. Once it is released, neither this nor what it calls changes. The history is the exception: it can be made again. */
async function createTables(queries: Kysely<unknown>): Promise<void> {
  const { schema } = queries;
  for (const name of Object.keys(firstTables) as TableName[]) await createTable(schema, name);
  for (const [unique, some] of [[true, uniqueIndexes] as const, [false, indexes] as const]) {
    for (const [name, [table, columns]] of Object.entries(some)) {
      const index = schema.createIndex(name).on(table).columns(columns);
      await (unique ? index.unique() : index).execute();
    }
  }
  await createHistory(queries);
  await keepAuditLog(queries);
}

async function createTable(schema: SchemaModule, name: TableName): Promise<void> {
  let table = schema.createTable(name) as CreateTableBuilder<string, string>;
  for (const [column, { type, build }] of Object.entries<Column<unknown>>(firstTables[name])) {
    table = table.addColumn(column, type, build);
  }
  const key: string[] | undefined = compositeKeys[name];
  await (key === undefined ? table : table.addPrimaryKeyConstraint(`${name}Key`, key)).execute();
}

/** No statement of ours changes the log; this holds for statements of others as well. */
async function keepAuditLog(queries: Kysely<unknown>): Promise<void> {
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter;
  for (const change of ['update', 'delete']) {
    const name = sql.id(`audit_log_no_${change}`);
    await (isPostgres
      ? sql`create rule ${name} as on ${sql.raw(change)} to audit_log do instead nothing`
      : sql`create trigger ${name} before ${sql.raw(change)} on audit_log begin select raise(abort, 'the audit log is only added to'); end`
    ).execute(queries);
  }
}

/**
 * The history: facts from documents as rows, in the columns that each kind declares, because SQL cannot read the compressed
 * documents. The views add columns of each measurement. All of it can be made again from the documents: from 0.1.0 on, a
 * migration that changes a column drops these tables and calls this again.
 */
async function createHistory(queries: Kysely<unknown>): Promise<void> {
  for (const view of declaredViews) {
    await createFigures(queries, view);
    await createView(queries, view);
  }
  await queries.schema
    .createIndex('metric_figures_by_machine')
    .on('metric_figures')
    .columns(['machine', 'metric'])
    .execute();
  await queries.schema
    .createIndex('metric_figures_by_question')
    .on('metric_figures')
    .columns(['question', 'metric'])
    .execute();
}

async function createFigures({ schema }: Kysely<unknown>, { table, columns }: HistoryView): Promise<void> {
  const start = schema
    .createTable(table)
    .addColumn('measurement_id', 'text', ofMeasurement.build)
    .addColumn('place', 'integer', (column) => column.notNull());
  await columns
    .reduce((each, { name, type }) => each.addColumn(name as 'place', storedTypes[type]), start)
    .addPrimaryKeyConstraint(`${table}_key`, ['measurement_id', 'place'])
    .execute();
}

async function createView(queries: Kysely<unknown>, { name, table, columns }: HistoryView): Promise<void> {
  const isPostgres = queries.getExecutor().adapter instanceof PostgresAdapter;
  const own = columns.map((column) => readColumn(column, isPostgres));
  const [created, finished] = ['created_at', 'ended_at'].map((time) => readTime(time, isPostgres));
  // Otherwise PostgreSQL may evaluate a query's condition on measurements that the view excludes, and an error reveals their titles.
  const barrier = isPostgres ? ' with (security_barrier)' : '';
  await sql
    .raw(
      `create view ${name}${barrier} as select f.measurement_id, m.title, m.state, ${created} as created_at, ${finished} as finished_at, ${own.join(', ')} from ${table} f join measurements m on m.id = f.measurement_id`,
    )
    .execute(queries);
}

/** SQLite has no truth but 1 and 0. */
const storedTypes = {
  text: 'text',
  integer: 'integer',
  real: 'double precision',
  boolean: 'integer',
  time: 'text',
} as const satisfies Record<HistoryColumn['type'], string>;

function readColumn({ name, type }: HistoryColumn, isPostgres: boolean): string {
  return isPostgres && type === 'boolean' ? `f.${name} = 1 as ${name}` : `f.${name}`;
}

function readTime(name: string, isPostgres: boolean): string {
  return isPostgres
    ? `to_timestamp(m.${name} / 1000.0)`
    : `strftime('%Y-%m-%dT%H:%M:%SZ', m.${name} / 1000, 'unixepoch')`;
}

/**
 * Cuts private keys out of data stored by versions that did not refuse them, and rewrites the database so that its file has none
 * either. The next start safely repeats an interrupted cut.
 * @returns a sentence for the log; null if there was no key
 */
async function cutPrivateKeys(queries: Kysely<Tables>): Promise<string | null> {
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
