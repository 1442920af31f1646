import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProblemError, problem } from '../../shared/base/problem.ts';
import { seedSqlite } from './storefront/sqlite.ts';
import type { StoreLocation } from './storefront/store.ts';
import { isFileError } from './write-atomically.ts';

/** Makes sure that the shop's database is there and whole. `databaseUrl` null: an SQLite file in `directory`. */
export async function seedStore(directory: string, databaseUrl: string | null): Promise<StoreLocation> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    if (databaseUrl === null) {
      const path = join(directory, 'shop.sqlite');
      seedSqlite(path);
      return { kind: 'sqlite', path };
    }
  } catch (error) {
    throw unwritable(directory, error);
  }
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw problem(
      'invalid_environment',
      'STOREFRONT_DATABASE_URL is not the address of a PostgreSQL database, such as postgres://user:password@localhost:5432/shop.',
    );
  }
  try {
    const { seedPostgres } = await import('./storefront/postgres.ts');
    await seedPostgres(databaseUrl);
  } catch (error) {
    throw unreachable(databaseUrl, error);
  }
  return { kind: 'postgres', url: databaseUrl };
}

/** Names the place without user, password and parameters. */
function unreachable(url: string, error: unknown): ProblemError {
  const place = url.replace(/\/\/[^@/]*@/, '//').replace(/\?.*/s, '');
  const reason = error instanceof Error ? error.message || codeOf(error) : String(error);
  return problem(
    'target_unreachable',
    `The storefront’s database ${place}, given by STOREFRONT_DATABASE_URL, cannot be used: ${reason}.`,
    { cause: error },
  );
}

const sqliteFull = 13;

function unwritable(directory: string, error: unknown): unknown {
  const isFull =
    codeOf(error) === 'ENOSPC' ||
    (error instanceof Error && 'errcode' in error && error.errcode === sqliteFull);
  if (isFull) {
    return problem('disk_full', `The storefront’s database does not fit into ${directory}.`, {
      cause: error,
    });
  }
  if (!isFileError(error) && codeOf(error) !== 'ERR_SQLITE_ERROR') return error;
  return problem(
    'data_directory_unusable',
    `The storefront’s database in ${directory} cannot be made (${(error as Error).message}).`,
    { cause: error },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
