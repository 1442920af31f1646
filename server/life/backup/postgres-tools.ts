import { once } from 'node:events';
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
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { environmentOf, startChild } from '../../base/process/children.ts';
import { problemOfDatabaseError } from '../database/data-directory.ts';
import type { DatabaseOptions } from '../database/open-database.ts';
import { sqliteFile } from '../database/open-sqlite.ts';
import { type About, isBackup, type Packed, writeContainer } from './container.ts';

/** PostgreSQL is copied and loaded by its own programs, which know every version of it. */

/** One consistent moment of it, while servers go on writing. Throws as backUp does. */
async function dumpPostgres(url: string, path: string): Promise<Omit<About, 'version' | 'createdAt'>> {
  const { names, results } = await ask(url, async (client) => {
    const migrations = await client.query<{ name: string }>(
      'select name from kysely_migration order by name',
    );
    const counted = await client.query<{ count: string }>('select count(*) as count from measurements');
    return {
      names: migrations.rows.map(({ name }) => name),
      results: Number(counted.rows[0]?.count ?? 0),
    };
  });
  await run('pg_dump', url, ['--format=custom', '--no-owner', '--no-privileges', `--file=${path}`]);
  return { engine: 'PostgreSQL', migrations: names, results };
}

/** All of it or nothing. Throws as restore does. */
export async function loadPostgres(url: string, path: string): Promise<void> {
  const { rowCount } = await ask(url, (client) =>
    client.query('select 1 from pg_tables where schemaname = current_schema() limit 1'),
  );
  if (rowCount !== 0)
    throw problem(
      'database_not_empty',
      'The database of DATABASE_URL already has tables, and a restore overwrites nothing.',
    );
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction'];
  await run('pg_restore', url, [...options, path]);
}

async function ask<Result>(url: string, query: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
  });
  try {
    await client.connect();
    return await query(client);
  } catch (error) {
    throw problemOfDatabaseError(error, { database: 'The database of DATABASE_URL' });
  } finally {
    await client.end().catch(() => {});
  }
}

/** Passwords go by the environment and by a file that its owner alone can read: others can read a command line. */
async function run(program: string, url: string, args: string[]): Promise<void> {
  const { open, password, sslPassword } = withoutPassword(url);
  const env = { ...environmentOf('postgres'), ...(password === '' ? {} : { PGPASSWORD: password }) };
  if (sslPassword === '') return runOn(program, open, env, args);
  const directory = mkdtempSync(join(tmpdir(), 'toll-service-'));
  const PGSERVICEFILE = join(directory, 'pg_service.conf');
  try {
    writeFileSync(PGSERVICEFILE, serviceOf(open, env, sslPassword), { mode: 0o600 });
    const named = `${open}${open.includes('?') ? '&' : '?'}service=${service}`;
    await runOn(program, named, { ...env, PGSERVICEFILE }, args);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const service = 'tls_toll';

/** Throws postgres_tool_failed where the address names a service of its own, as libpq reads one. */
function serviceOf(open: string, { PGSERVICE }: NodeJS.ProcessEnv, sslPassword: string): string {
  if (PGSERVICE !== undefined || /[?&]service=/.test(open) || /[\r\n]/.test(sslPassword)) {
    throw problem('postgres_tool_failed', 'Move sslpassword from DATABASE_URL to the service file.');
  }
  return `[${service}]\nsslpassword=${sslPassword}\n`;
}

async function runOn(program: string, open: string, env: NodeJS.ProcessEnv, args: string[]): Promise<void> {
  const child = startChild(program, [`--dbname=${open}`, '--no-password', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw problem('postgres_tool_missing', `${program} is not installed on this machine.`);
  });
  if (code === 0) return;
  const last = said.trim().split('\n').at(-1) ?? '';
  throw problem('postgres_tool_failed', `${program} failed: ${last.replace(/\.$/, '')}.`);
}

/** A PostgreSQL address for a command line, which others can read, and the secrets that stood in it; empty for none. */
type Bared = {
  open: string;
  password: string;
  /** Of the key of a client’s certificate. No variable of libpq takes it. */
  sslPassword: string;
};

const secrets = ['password', 'sslpassword'];

export function withoutPassword(url: string): Bared {
  const [, user = '', before, rest = url] = /^(\w+:\/\/[^:@/?#]*)(?::([^/?#]*))?(@.*)$/s.exec(url) ?? [];
  const [place = '', ...queries] = rest.split('?');
  const parameters = queries.join('?').split('&');
  const given = (name: string) =>
    parameters.flatMap((each) => new URLSearchParams(each).getAll(name)).at(-1) ?? '';
  const others = parameters.filter(
    (each) => each !== '' && !secrets.some((name) => new URLSearchParams(each).has(name)),
  );
  const query = others.length === 0 ? '' : `?${others.join('&')}`;
  return {
    open: user + place + query,
    // As the driver does, the parameter goes first.
    password: given('password') || decoded(before ?? ''),
    sslPassword: given('sslpassword'),
  };
}

/** One with a bare percent sign is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
