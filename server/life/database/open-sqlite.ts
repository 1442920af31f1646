import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely';
import { createDataDirectory, createPrivateFile } from './data-directory.ts';
import { problemOfDatabaseError } from './database-problem.ts';
import { type FileWatch, watchFile } from './watch-file.ts';

/** A commit is on the disk when it returns; the log is kept small, as it counts towards the size of the data directory. */
const pragmas = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma busy_timeout = 5000;
  pragma foreign_keys = on;
  pragma wal_autocheckpoint = 100;
  pragma journal_size_limit = 262144;
`;

/**
 * The embedded database, `tls-toll.sqlite` in the data directory, whose lock keeps other servers out.
 * @param watched whether writes are refused while the file is not where it was, as a server demands that runs for weeks
 */
export function openSqlite(
  directory: string,
  watched: boolean,
): {
  dialect: Dialect;
  close(): Promise<void>;
  shared: null;
  demandFile(): void;
} {
  createDataDirectory(directory);
  const path = sqliteFile(directory);
  createPrivateFile(path);
  const connection = connect(path, directory);
  const watch = watched ? watchFile(connection, path) : null;
  return {
    dialect: new TransactionalSqlite({ database: adapt(connection, watch) }),
    shared: null,
    demandFile: () => watch?.demand(),
    close: async () => {
      if (connection.isOpen) connection.close();
      watch?.stop();
    },
  };
}

/** An empty one in memory, as the dialect of Kysely and by itself. */
export function sqliteInMemory(): { dialect: Dialect; connection: DatabaseSync } {
  const connection = new DatabaseSync(':memory:');
  return { dialect: new TransactionalSqlite({ database: adapt(connection, null) }), connection };
}

export function sqliteFile(directory: string): string {
  return join(directory, 'tls-toll.sqlite');
}

/** SQLite rolls changes of the schema back as all others, which Kysely's dialect makes no use of. */
class TransactionalSqlite extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function connect(path: string, directory: string): DatabaseSync {
  const connection = new DatabaseSync(path);
  try {
    connection.exec(pragmas);
    return connection;
  } catch (error) {
    connection.close();
    throw problemOfDatabaseError(error, { database: path, directory });
  }
}

/** Kysely's dialect speaks to better-sqlite3; these are the few words of it that it uses. */
function adapt(connection: DatabaseSync, watch: FileWatch | null): SqliteDatabase {
  return {
    close: () => connection.close(),
    prepare(sql) {
      if (watch !== null && writes.test(sql)) watch.demand();
      return adaptStatement(connection.prepare(sql));
    },
  };
}

/** What ends in the file; reading goes on from the one that is open. */
const writes = /^\s*(?!select|begin|rollback|savepoint|release|pragma)/i;

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}
