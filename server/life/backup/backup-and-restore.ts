import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
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
import {
  type About,
  type Container,
  isBackup,
  openContainer,
  type Packed,
  writeContainer,
} from './backup-file.ts';
import { dumpPostgres, loadPostgres } from './postgres-tools.ts';

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
    throw explainRestoring(directory, error);
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
    throw explainRestoring(directory, error);
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

function explainRestoring(directory: string, error: unknown): unknown {
  const known = problemOfDatabaseError(error, {
    database: 'The database in the backup',
    directory: resolve(directory),
  });
  if (known instanceof ProblemError) return known;
  return problem('data_directory_unusable', `${resolve(directory)} cannot be written.`, { cause: error });
}

/**
 * Copies the database and the files that must travel with it into one file that only its owner can read, while a server uses
 * them or not. A file that is there is replaced once the new one is whole. Values of secrets are in memory only, and the
 * storefront makes its data anew.
 * Throws backup_missing, file_unwritable, disk_full, database_damaged, database_unavailable, postgres_tool_missing,
 * postgres_tool_failed.
 */
export async function backUp(place: DatabaseOptions, path: string, version: string): Promise<About> {
  const target = resolve(path);
  demandReplaceable(target, place.directory);
  const working = makeWorkingDirectory(target);
  try {
    const copy = join(working, 'database');
    const facts =
      place.url === null ? await copySqlite(place.directory, copy) : await dumpPostgres(place.url, copy);
    const about: About = { version, createdAt: Date.now(), ...facts };
    const whole = join(working, basename(target));
    closeSync(openSync(whole, 'wx', 0o600));
    writeContainer(whole, about, [{ name: 'database', path: copy }, ...filesOf(place.directory)]);
    renameSync(whole, target);
    return about;
  } catch (error) {
    throw explainBackingUp(target, error);
  } finally {
    rmSync(working, { recursive: true, force: true });
  }
}

/** Nothing is there, or a backup or an empty file, and not among what is backed up. Throws file_unwritable. */
function demandReplaceable(target: string, directory: string): void {
  const refuse = (fact: string) =>
    problem('file_unwritable', `${target} ${fact}. Write the backup elsewhere.`);
  const [parent, data] = [dirname(target), directory].map((each) =>
    existsSync(each) ? realpathSync(each) : null,
  );
  if (
    typeof parent === 'string' &&
    typeof data === 'string' &&
    `${parent}${sep}`.startsWith(`${data}${sep}`)
  ) {
    throw refuse('is in the data directory');
  }
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found === undefined) return;
  const isOurs = found.isFile() && (found.size === 0 || isBackup(target));
  if (!isOurs) throw refuse('is no backup of TLS Toll, and is not replaced');
}

/** Beside the target, so that the whole file only changes its name. For its owner only. */
function makeWorkingDirectory(target: string): string {
  try {
    return mkdtempSync(join(dirname(target), '.tls-toll-backup-'));
  } catch (error) {
    throw unwritable(target, error);
  }
}

function explainBackingUp(target: string, error: unknown): unknown {
  const known = problemOfDatabaseError(error, { directory: dirname(target) });
  return known instanceof ProblemError && known.problem.code !== 'data_directory_unusable'
    ? known
    : unwritable(target, error);
}

function unwritable(target: string, error: unknown) {
  const known = problemOfDatabaseError(error, { directory: dirname(target) });
  if (known instanceof ProblemError && known.problem.code === 'disk_full') return known;
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = isMissing ? `${dirname(target)} does not exist.` : null;
  const fact = known instanceof ProblemError ? known.problem.detail : reason;
  return problem('file_unwritable', `${target} cannot be written${fact === null ? '.' : `: ${fact}`}`, {
    cause: error,
  });
}

/** In one step: a copy in several begins again whenever the server writes. Neither waits for the other. */
async function copySqlite(directory: string, copy: string): Promise<Omit<About, 'version' | 'createdAt'>> {
  const file = sqliteFile(directory);
  if (!existsSync(file)) throw problem('backup_missing', `There is no database in ${resolve(directory)}.`);
  const source = new DatabaseSync(file, { timeout: 5000 });
  try {
    closeSync(openSync(copy, 'wx', 0o600));
    await backup(source, copy, { rate: everyPage });
  } finally {
    source.close();
  }
  const copied = new DatabaseSync(copy);
  try {
    const names = copied.prepare('select name from kysely_migration order by name').all();
    const { count } = copied.prepare('select count(*) as count from measurements').get() ?? {};
    return { engine: 'SQLite', migrations: names.map(({ name }) => String(name)), results: Number(count) };
  } finally {
    copied.close();
  }
}

const everyPage = 2 ** 31 - 1;

/** Keys of the local authority, which browsers may trust. Without what sessions are signed with, those in the database are of no use to anybody. */
function filesOf(directory: string): Packed[] {
  const authority = join(directory, 'authority');
  const keys = existsSync(authority)
    ? readdirSync(authority).filter((name) => /^[\w-]+\.(key|pem)$/.test(name))
    : [];
  return keys.map((name) => ({ name: `authority/${name}`, path: join(authority, name) }));
}
