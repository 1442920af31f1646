import { CamelCasePlugin, Kysely } from 'kysely';
import { migrate } from './migrations.ts';
import type { Shared } from './open-postgres.ts';
import { openSqlite } from './open-sqlite.ts';
import { explainErrors } from './query-problems.ts';
import type { Tables } from './tables.ts';

/** The handle that every record's functions take first. Queries that fail throw problems where there is one. */
export type Database = {
  queries: Kysely<Tables>;
  /** Of a PostgreSQL, which several processes may use at once; null for SQLite, whose directory one has alone. */
  shared: Shared | null;
  /** A sentence for the log about stored data that was changed on opening; null for none. */
  notice: string | null;
  /** Throws database_gone when the file of SQLite is not where it was. */
  demandFile(): void;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** Where SQLite's file lives. */
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
  const queries = new Kysely<Tables>({ dialect: explainErrors(dialect), plugins: [new CamelCasePlugin()] });
  const closeAll = () => queries.destroy().then(close);
  try {
    return { queries, shared, notice: await migrate(queries), demandFile, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The driver is loaded only where it is used. */
async function openShared(url: string) {
  const { openPostgres } = await import('./open-postgres.ts');
  return { ...(await openPostgres(url)), demandFile() {} };
}
