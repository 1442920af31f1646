import {
  closeSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { problemOfDatabaseError } from '../database/database-problem.ts';
import type { DatabaseOptions } from '../database/open-database.ts';
import { sqliteFile } from '../database/open-sqlite.ts';
import { type About, isBackup, type Packed, writeContainer } from './container.ts';
import { dumpPostgres } from './postgres-tools.ts';

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
    throw explain(target, error);
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

function explain(target: string, error: unknown): unknown {
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
