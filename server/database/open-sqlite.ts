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

/** A commit is on the disk when it returns; the log is kept small, as it counts towards the size of the data directory. */
const pragmas = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma busy_timeout = 5000;
  pragma foreign_keys = on;
  pragma wal_autocheckpoint = 100;
  pragma journal_size_limit = 262144;
`;

/** The embedded database, `tls-toll.sqlite` in the data directory, whose lock keeps other servers out. */
export function openSqlite(directory: string): {
  dialect: Dialect;
  close(): Promise<void>;
  shared: null;
} {
  createDataDirectory(directory);
  const path = sqliteFile(directory);
  createPrivateFile(path);
  const connection = connect(path);
  return {
    dialect: new TransactionalSqlite({ database: adapt(connection) }),
    shared: null,
    close: async () => {
      if (connection.isOpen) connection.close();
    },
  };
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

function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path);
  try {
    connection.exec(pragmas);
    return connection;
  } catch (error) {
    connection.close();
    throw problemOfDatabaseError(error, path);
  }
}

/** Kysely's dialect speaks to better-sqlite3; these are the few words of it that it uses. */
function adapt(connection: DatabaseSync): SqliteDatabase {
  return {
    close: () => connection.close(),
    prepare: (sql) => adaptStatement(connection.prepare(sql)),
  };
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}
