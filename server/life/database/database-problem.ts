import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';

type Place = {
  /** The database as a sentence names it. */
  database?: string;
  /** Path of its file, or of another one that was written. */
  directory?: string | null;
};

/**
 * What a failed query, connection or file operation means to a user, as a problem; anything that is not about
 * the disk, the directory or the connection is returned as it is.
 */
export function problemOfDatabaseError(
  error: unknown,
  { database = 'The database in the data directory', directory = null }: Place = {},
): unknown {
  if (!(error instanceof Error)) return error;
  const code = sqliteCodeOf(error) ?? systemCodeOf(error);
  return code === null ? error : (explain(code, error, database, directory) ?? error);
}

/** Primary result codes of SQLite (https://sqlite.org/rescode.html); the extended ones hold them in their low byte. */
const sqliteCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

function sqliteCodeOf(error: Error): string | null {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? (sqliteCodes[errcode & 0xff] ?? null) : null;
}

function systemCodeOf(error: Error): string | null {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  // pg gives its own time limits no code, nor what is asked of a connection that has broken.
  return /timeout|Connection terminated|not queryable/i.test(error.message) ? 'ETIMEDOUT' : null;
}

function explain(
  code: string,
  cause: Error,
  database: string,
  directory: string | null,
): ProblemError | null {
  const { path } = cause as NodeJS.ErrnoException;
  const place = (path === undefined ? null : dirname(path)) ?? directory ?? 'the data directory';
  const unusable = (fact: string) => problem('data_directory_unusable', fact, { cause });
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return problem('disk_full', `There is no space left in ${fullIn(place)}.`, { cause });
    case '53100':
      return problem('disk_full', 'There is no space left for the PostgreSQL database.', { cause });
    case 'EACCES':
    case 'EPERM':
      return unusable(`This user cannot write to ${place}.`);
    case 'EROFS':
    case 'SQLITE_READONLY':
      return unusable(`${place} is on a read-only disk, or this user cannot write to it.`);
    case 'SQLITE_CANTOPEN':
      return unusable(`${database} cannot be opened.`);
    case 'SQLITE_IOERR':
      return unusable(`Reading or writing ${place} failed.`);
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return problem('database_damaged', `${database} is damaged.`, { cause });
    case 'SQLITE_BUSY':
      return problem(
        'data_directory_in_use',
        'Another process has locked the database for more than 5 seconds.',
        { cause },
      );
    default: {
      const reason = reasons[code];
      const isFile = code === 'ENOENT' && (cause as NodeJS.ErrnoException).syscall !== 'connect';
      if (reason === undefined || isFile) return null;
      return problem('database_unavailable', `The database does not serve queries: ${reason}.`, { cause });
    }
  }
}

/** SQLite also writes temporary files, and does not say which file found no space. */
function fullIn(place: string): string {
  return [place, tmpdir()].find(isFull) ?? place;
}

function isFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < leastFreeBytes;
  } catch {
    return false;
  }
}

const leastFreeBytes = 1 << 20;

/** Why a database that is reached over a socket serves no queries, by the system's and PostgreSQL's codes. */
const reasons: Partial<Record<string, string>> = {
  ECONNREFUSED: 'nothing is listening at its address',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'the name of its host is unknown',
  EAI_AGAIN: 'the name of its host cannot be looked up now',
  EHOSTUNREACH: 'its host cannot be reached',
  ENOENT: 'its socket does not exist',
  ETIMEDOUT: 'it does not answer in time, or the connection broke',
  '57P01': 'it was shut down',
  '57P02': 'it was shut down',
  '57P03': 'it is starting or shutting down',
  '53300': 'all its connections are in use',
  '28000': 'it does not admit this user',
  '28P01': 'the password is wrong',
  '3D000': 'it has no database of that name',
};
