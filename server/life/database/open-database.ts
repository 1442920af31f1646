import type { DatabaseSync } from 'node:sqlite';
import { CamelCasePlugin, Kysely } from 'kysely';
import { problem } from '../../../shared/base/problem.ts';
import { migrate, migrations } from './migrations.ts';
import type { Shared } from './open-postgres.ts';
import { explainErrors, openSqlite, sqliteInMemory } from './open-sqlite.ts';
import type { Tables } from './packed-text.ts';

/** The handle that every record's functions take first. Queries that fail throw problems where there is one. */
export type Database = {
  queries: Kysely<Tables>;
  /** Set for PostgreSQL, which several processes may use concurrently; null for SQLite, whose directory one process has alone. */
  shared: Shared | null;
  /** A sentence for the log about stored data that was changed on opening; null for none. */
  notice: string | null;
  /** Throws database_gone when the file of SQLite is not where it was. */
  demandFile(): void;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** Directory of SQLite's file. */
  directory: string;
  /** A PostgreSQL connection string to use instead. */
  url: string | null;
  /** Whether it runs on for long, and people may move the file meanwhile. */
  watched?: boolean;
};

/**
 * Opens the database and brings its schema up to date. The data directory must be locked before.
 * Throws data_directory_unusable, data_directory_in_use, disk_full, database_damaged, database_unavailable.
 */
export async function openDatabase({ directory, url, watched = false }: DatabaseOptions): Promise<Database> {
  const { dialect, close, shared, demandFile } =
    url === null ? openSqlite(directory, watched) : await openShared(url);
  const queries = new Kysely<Tables>({
    dialect: explainErrors(dialect, url === null ? directory : null),
    plugins: [new CamelCasePlugin()],
  });
  const closeAll = () => queries.destroy().then(close);
  try {
    return { queries, shared, notice: await migrate(queries), demandFile, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Throws backup_unusable where a database has other tables, or anything else, than these migrations make. */
export async function demandSchemaOf(database: DatabaseSync, applied: readonly string[]): Promise<void> {
  const { dialect, connection } = sqliteInMemory();
  const queries = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  await migrate(
    queries,
    Object.fromEntries(Object.entries(migrations).filter(([name]) => applied.includes(name))),
  );
  const ours = new Set(schemaOf(connection));
  await queries.destroy();
  const found = new Set<string>();
  for (const each of schemaOf(database)) {
    if (!ours.has(each)) throw problem('backup_unusable', notOurs);
    found.add(each);
  }
  if (found.size !== ours.size) throw problem('backup_unusable', notOurs);
}

const notOurs = 'The database in the backup has other tables than TLS Toll makes.';

/** Statistics aside, which SQLite may keep. */
function* schemaOf(database: DatabaseSync): Generator<string> {
  const rows = database.prepare(
    "select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite_stat%'",
  );
  for (const row of rows.iterate()) yield JSON.stringify(Object.values(row));
}

/** The driver is loaded only where it is used. */
async function openShared(url: string) {
  const { openPostgres } = await import('./open-postgres.ts');
  return { ...(await openPostgres(url)), demandFile() {} };
}
