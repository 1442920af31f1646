import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ProblemError, problem } from '../../shared/problem.ts';
import { createDataDirectory } from '../database/data-directory.ts';
import { problemOfDatabaseError } from '../database/database-problem.ts';
import { migrations } from '../database/migrations.ts';
import type { DatabaseOptions } from '../database/open-database.ts';
import { sqliteFile } from '../database/open-sqlite.ts';
import { type About, type Container, openContainer } from './container.ts';
import { loadPostgres } from './postgres-tools.ts';

/**
 * Puts a backup into an empty data directory, and that of a PostgreSQL into the empty database of the URL as well.
 * Throws directory_not_empty, backup_unusable, backup_newer, backup_misfit, database_not_empty, database_unavailable,
 * data_directory_unusable, disk_full, postgres_tool_missing, postgres_tool_failed.
 */
export async function restore(path: string, { directory, url }: DatabaseOptions): Promise<About> {
  demandEmpty(directory);
  if (!existsSync(path)) throw problem('backup_unusable', `${path} does not exist.`);
  const container = openContainer(path, Object.keys(migrations));
  const isNew = !existsSync(directory);
  try {
    demandFit(container.about, url);
    createDataDirectory(directory);
    await unpack(container, { directory, url });
    return container.about;
  } catch (error) {
    for (const each of written(directory)) rmSync(join(directory, each), { recursive: true });
    if (isNew) rmSync(directory, { recursive: true, force: true });
    throw explain(directory, error);
  } finally {
    container.close();
  }
}

async function unpack(container: Container, { directory, url }: DatabaseOptions): Promise<void> {
  const database = sqliteFile(directory);
  for (const name of container.names) {
    const target = name === 'database' ? database : join(directory, name);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    container.extract(name, target);
  }
  if (url === null) return demandSound(database);
  await loadPostgres(url, database);
  rmSync(database);
}

function demandSound(database: string): void {
  const restored = new DatabaseSync(database);
  try {
    const { quick_check: found } = restored.prepare('pragma quick_check').get() ?? {};
    if (found !== 'ok') throw problem('backup_unusable', `The database in the backup is damaged: ${found}.`);
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
    return readdirSync(directory);
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
  const known = problemOfDatabaseError(error);
  if (known instanceof ProblemError) return known;
  const reason = error instanceof Error ? error.message : String(error);
  return problem('data_directory_unusable', `${resolve(directory)} cannot be written: ${reason}.`, {
    cause: error,
  });
}
