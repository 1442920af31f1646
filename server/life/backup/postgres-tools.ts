import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { problem } from '../../../shared/base/problem.ts';
import { environmentOf, startChild } from '../../base/process/children.ts';
import { problemOfDatabaseError } from '../database/data-directory.ts';
import type { About } from './backup-file.ts';

/** PostgreSQL is copied and loaded by its own programs, which know every version of it. */

/** One consistent moment of it, while servers go on writing. Throws as backUp does. */
export async function dumpPostgres(url: string, path: string): Promise<Omit<About, 'version' | 'createdAt'>> {
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
  /** Password for the key of a client’s certificate. No variable of libpq takes it. */
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
    // The parameter takes precedence, as in the driver.
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
