import { randomInt } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import { createDataDirectory, createPrivateFile, problemOfDatabaseError } from './data-directory.ts';

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

/** Statements that write to the file. Reading continues from the file that is open. */
const writes = /^\s*(?!select|begin|rollback|savepoint|release|pragma)/i;

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}

/** Whether the file that is open is still the one that people, backups, and the next server will find. */
type FileWatch = {
  /** Throws database_gone. */
  demand(): void;
  stop(): void;
};

const lookMs = 2_000;
/** First bytes of a database (https://www.sqlite.org/fileformat.html). */
const header = { bytes: 100, magic: 'SQLite format 3\0', userVersionAt: 60 } as const;

/**
 * SQLite writes to an open file wherever that has gone, and to a log that was deleted, so commits succeed that no start will
 * find. Compared are device and inode of the file and of its log, and a random mark in the header, which tells a file that was
 * written over in place. The mark is made anew for each watch, so that an older copy of the same file is told as well.
 *
 * The file is opened once and closed after SQLite has closed it: closing it earlier would drop SQLite's POSIX locks.
 */
function watchFile(connection: DatabaseSync, path: string): FileWatch {
  const log = `${path}-wal`;
  const mark = randomInt(1, 2 ** 31);
  makeMark(connection, mark);
  const file = openSync(path, 'r');
  // On a full disk, or beside a reader, the one before is there for now.
  const marks = [mark, readChangeMark(file)];
  let openLog = inodeOf(log);

  /** A log that is missing holds nothing that its connection has not: it is emptied into the file, and begun anew. */
  function renewLog(): void {
    if (existsSync(log) || connection.isTransaction || !isHere(file, path)) return;
    connection.exec('pragma journal_mode = delete; pragma journal_mode = wal');
    makeMark(connection, mark);
    openLog = inodeOf(log);
  }

  const timer = setInterval(() => {
    try {
      renewLog();
    } catch {
      // Another process has the file open, or it is damaged. Whoever writes is told.
    }
  }, lookMs);
  timer.unref();

  return {
    demand() {
      if (!isHere(file, path)) throw gone(`${resolve(path)} was moved, deleted, or replaced`);
      if (!marks.includes(readChangeMark(file))) throw gone(`${resolve(path)} was overwritten`);
      if (inodeOf(log) !== openLog) throw gone(`${resolve(log)} was moved, deleted, or replaced`);
    },
    stop() {
      clearInterval(timer);
      closeSync(file);
    },
  };
}

/** Begins the log as well. What keeps it from being written is said to whoever writes next. */
function makeMark(connection: DatabaseSync, mark: number): void {
  try {
    connection.exec(`pragma user_version = ${mark}; pragma wal_checkpoint(truncate)`);
  } catch {
    // The mark before stays.
  }
}

function gone(what: string): ProblemError {
  return problem('database_gone', `${what} while the server was running.`);
}

function isHere(file: number, path: string): boolean {
  const { dev, ino } = fstatSync(file);
  return inodeOf(path) === `${dev} ${ino}`;
}

/** Device and inode; null where there is nothing. */
function inodeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

/** Null where it is no database any more. */
function readChangeMark(file: number): number | null {
  const bytes = Buffer.alloc(header.bytes);
  const read = readSync(file, bytes, 0, header.bytes, 0);
  if (read < header.bytes || bytes.toString('latin1', 0, header.magic.length) !== header.magic) return null;
  return bytes.readInt32BE(header.userVersionAt);
}

/** The same dialect, whose connections and queries fail with problems. @param directory of its file; null without one */
export function explainErrors(dialect: Dialect, directory: string | null): Dialect {
  const rethrow = (error: unknown): never => {
    throw problemOfDatabaseError(error, { directory });
  };
  return {
    createDriver: () => explainDriver(dialect.createDriver(), rethrow),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (queries) => dialect.createIntrospector(queries),
  };
}

/** Methods are replaced in place, as Kysely itself does for its log: its drivers hold private state behind symbols. */
function explainDriver(driver: Driver, rethrow: (error: unknown) => never): Driver {
  const explained = new WeakSet<DatabaseConnection>();
  const acquireConnection = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await acquireConnection(options).catch(rethrow);
    if (!explained.has(connection)) {
      explained.add(connection);
      const executeQuery = connection.executeQuery.bind(connection);
      connection.executeQuery = <Row>(...args: Parameters<typeof executeQuery>) =>
        executeQuery<Row>(...args).catch(rethrow);
    }
    return connection;
  };
  // SQLite has rolled back itself when the disk was full, PostgreSQL when the session ended; why is what counts.
  const rollbackTransaction = driver.rollbackTransaction.bind(driver);
  driver.rollbackTransaction = (connection) => rollbackTransaction(connection).catch(() => {});
  return driver;
}
