import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { lockDataDirectory, lockFiles, problemOfDatabaseError } from '../database/data-directory.ts';
import { migrations } from '../database/migrations.ts';
import {
  type Database,
  type DatabaseOptions,
  demandSchemaOf,
  openDatabase,
} from '../database/open-database.ts';
import { sqliteFile } from '../database/open-sqlite.ts';
import { type About, type Container, openContainer } from './container.ts';
import { loadPostgres } from './postgres-tools.ts';

/** `notice` is a sentence about changes to stored data; null for none. */
type Restored = About & Pick<Database, 'notice'>;

/**
 * Puts a backup into an empty data directory, and that of a PostgreSQL into the empty database of the URL as well. No server
 * can start in the directory meanwhile. Throws directory_not_empty, data_directory_in_use, backup_unusable, backup_newer, backup_misfit, database_not_empty, database_unavailable,
 * data_directory_unusable, disk_full, postgres_tool_missing, postgres_tool_failed.
 */
export async function restore(path: string, { directory, url }: DatabaseOptions): Promise<Restored> {
  demandEmpty(directory);
  if (!existsSync(path)) throw problem('backup_unusable', `${path} does not exist.`);
  const container = openContainer(path, Object.keys(migrations));
  const isNew = !existsSync(directory);
  try {
    demandFit(container.about, url);
    const notice = await unpackLocked(container, { directory, url }, isNew);
    return { ...container.about, notice };
  } catch (error) {
    throw explain(directory, error);
  } finally {
    container.close();
  }
}

async function unpackLocked(
  container: Container,
  place: DatabaseOptions,
  isNew: boolean,
): Promise<string | null> {
  const { directory } = place;
  const lock = lockDataDirectory(directory);
  try {
    // A server may have been there until the lock was taken.
    demandEmpty(directory);
    try {
      await unpack(container, place);
      const { notice, close } = await openDatabase(place);
      await close();
      return notice;
    } catch (error) {
      for (const name of container.names) rmSync(targetOf(directory, name), { force: true });
      if (isNew) removeDirectory(directory);
      throw error;
    }
  } finally {
    lock.release();
  }
}

async function unpack(container: Container, { directory, url }: DatabaseOptions): Promise<void> {
  const database = sqliteFile(directory);
  for (const name of container.names) {
    const target = targetOf(directory, name);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    container.extract(name, target);
  }
  if (url === null) return demandSound(database, container.about);
  await loadPostgres(url, database);
  rmSync(database);
}

function targetOf(directory: string, name: string): string {
  return name === 'database' ? sqliteFile(directory) : join(directory, name);
}

/** Unless something is left in it that no restore has written. */
function removeDirectory(directory: string): void {
  if (written(directory).some((name) => !statSync(join(directory, name)).isDirectory())) return;
  for (const name of lockFiles) rmSync(join(directory, name), { force: true });
  removeEmpty(directory);
}

/** With its directories, unless something is left in one of them. */
function removeEmpty(directory: string): void {
  const inside = readdirSync(directory, { withFileTypes: true }).filter((each) => each.isDirectory());
  for (const { name } of inside) removeEmpty(join(directory, name));
  if (readdirSync(directory).length === 0) rmdirSync(directory);
}

/** A trigger of somebody else's would run whenever the server writes. */
async function demandSound(database: string, about: About): Promise<void> {
  const restored = new DatabaseSync(database);
  try {
    restored.exec('pragma trusted_schema = off');
    await demandSchemaOf(restored, about.migrations);
    const { quick_check: found } = restored.prepare('pragma quick_check').get() ?? {};
    if (found !== 'ok') throw problem('backup_unusable', 'The database in the backup is damaged.');
  } finally {
    restored.close();
  }
}

function demandEmpty(directory: string): void {
  if (written(directory).length > 0)
    throw problem(
      'directory_not_empty',
      `${resolve(directory)} is not empty, and a restore overwrites nothing.`,
    );
}

function written(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => !lockFiles.includes(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw explain(directory, error);
  }
}

function demandFit({ engine }: About, url: string | null): void {
  const asked = url === null ? 'SQLite' : 'PostgreSQL';
  if (engine === asked) return;
  const fact =
    engine === 'PostgreSQL'
      ? 'It contains a PostgreSQL database. Set DATABASE_URL to an empty one.'
      : 'It contains an SQLite database. Unset DATABASE_URL.';
  throw problem('backup_misfit', fact);
}

function explain(directory: string, error: unknown): unknown {
  const known = problemOfDatabaseError(error, {
    database: 'The database in the backup',
    directory: resolve(directory),
  });
  if (known instanceof ProblemError) return known;
  return problem('data_directory_unusable', `${resolve(directory)} cannot be written.`, { cause: error });
}
