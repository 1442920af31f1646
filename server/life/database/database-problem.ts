import { type ProblemError, problem } from '../../../shared/base/problem.ts';

/**
 * What a failed query, connection or file operation means to a user, as a problem; anything that is not about
 * the disk, the directory or the connection is returned as it is.
 * @param database as a sentence names it
 */
export function problemOfDatabaseError(
  error: unknown,
  database = 'The database in the data directory',
): unknown {
  if (!(error instanceof Error)) return error;
  const code = sqliteCodeOf(error) ?? systemCodeOf(error);
  return code === null ? error : (explain(code, error, database) ?? error);
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

function explain(code: string, cause: Error, database: string): ProblemError | null {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
    case '53100':
      return problem('disk_full', 'There is no space left to store the run.', { cause });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'SQLITE_READONLY':
      return problem('data_directory_unusable', 'This user cannot write to the data directory.', { cause });
    case 'SQLITE_CANTOPEN':
      return problem('data_directory_unusable', `${database} cannot be opened.`, { cause });
    case 'SQLITE_IOERR':
      return problem('data_directory_unusable', 'Reading or writing the data directory failed.', { cause });
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return problem('database_damaged', `${database} is damaged: ${cause.message}.`, { cause });
    case 'SQLITE_BUSY':
      return problem(
        'data_directory_in_use',
        'Another process has locked the database for more than 5 seconds.',
        {
          cause,
        },
      );
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'EPIPE':
    case 'ENOENT':
    case 'ETIMEDOUT':
    case '57P01':
    case '57P02':
    case '57P03':
    case '53300':
    case '28000':
    case '28P01':
    case '3D000':
      return problem('database_unavailable', `The database does not serve queries: ${cause.message}.`, {
        cause,
      });
    default:
      return null;
  }
}
