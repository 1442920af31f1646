/** Protects what SQL cannot reach: through both walls on either database, and through PostgreSQL’s role alone. */

import { spawn } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { historyViewNames } from '../../../shared/results/history.ts';
import { type DatabaseInTest, engines, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { findPostgres, type PostgresCluster, startPostgres } from '../../testing/postgres-cluster.ts';
import { secret, sqlAttacks } from '../../testing/sql-attacks.ts';
import { type Database, openDatabase } from '../database/open-database.ts';
import { sqliteFile } from '../database/open-sqlite.ts';
import type { Reader } from './history-questions.ts';
import { judgePostgres } from './judge-postgres.ts';
import { openHistory } from './open-history.ts';
import { openReadOnlyPostgres } from './read-only-postgres.ts';
import { openReadOnlySqlite } from './read-only-sqlite.ts';
import { type Admission, admitReader } from './reader-role.ts';

const limits = { limit: 2000, bytes: 2 ** 20, ms: 300 };
const judgeNothing = async (sql: string) => sql;
const endless = 'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n';

/** Stores texts that no view shows: a password, and the title of a measurement without figures. */
async function plantSecret(database: Database): Promise<void> {
  await insertInTest(database, { title: secret });
  const user = { id: 'anna', email: 'anna@example.com', name: 'Anna', role: 'admin', emailVerified: 1 };
  const times = { createdAt: '2026-11-27', updatedAt: '2026-11-27' };
  await database.queries
    .insertInto('users')
    .values({ ...user, ...times, image: null })
    .execute();
  const account = { id: 'account', userId: 'anna', accountId: 'anna', providerId: 'credential' };
  await database.queries
    .insertInto('accounts')
    .values({ ...account, ...times, password: secret })
    .execute();
}

/** Everything that a query's author gets to see. */
async function toldBy(read: Reader, sql: string): Promise<string> {
  return await Promise.try(read, { ...limits, sql }).then(
    ({ rows }) => JSON.stringify(rows),
    (error) => String(error),
  );
}

describe.each(engines)('through both walls of %s', (engine) => {
  let opened: DatabaseInTest;
  let read: Reader;
  beforeAll(async () => {
    opened = await openDatabaseInTest(engine);
    await plantSecret(opened.database);
    const { directory, url } = opened.place;
    if (url === null) read = openReadOnlySqlite(sqliteFile(directory));
    else {
      const admission = await admitReader(url);
      ({ read } = await openReadOnlyPostgres(admission.place, judgePostgres));
      await admission.begun();
    }
  });
  afterAll(() => opened.close());

  test.each(sqlAttacks)('%s', async (sql) => {
    expect(await toldBy(read, sql)).not.toContain(secret);
  });

  test('more queries than may run at a time wait, and then are sent away', async () => {
    const history = openHistory(opened.place, { ms: 300, bytes: 2000, memoryBytes: 2 ** 30 });
    const asked = Array.from({ length: 12 }, () => history.ask({ sql: endless, limit: 1 }));
    const codes = await Promise.all(asked.map((each) => each.catch((error) => error.problem?.code)));
    expect(new Set(codes)).toEqual(new Set(['sql_stopped', 'sql_busy']));
    expect((await history.ask({ sql: 'select 1', limit: 1 })).rows).toEqual([[1]]);
  });
});

const bin = findPostgres();

describe.skipIf(bin === null)('PostgreSQL’s role', () => {
  let cluster: PostgresCluster;
  let root: pg.Client;
  /** Every sign-in needs a password, as in a PostgreSQL container. */
  beforeAll(async () => {
    cluster = await startPostgres(bin ?? '');
    root = new pg.Client(cluster.url);
    await root.connect();
    await root.query(`
      alter role toll password 'toll';
      create role creator login createrole password 'toll';
      create role plain login password 'toll';
    `);
    await allow('local all all scram-sha-256');
  });
  afterAll(async () => {
    await root.end();
    await cluster.stop();
  });

  async function allow(...lines: string[]): Promise<void> {
    const values = lines.map((line) => `(${pg.escapeLiteral(line)})`).join(', ');
    const { rows } = await root.query<{ file: string }>("select current_setting('hba_file') as file");
    await root.query(`copy (values ${values}) to '${rows[0]?.file}'`);
    await root.query('select pg_reload_conf()');
  }

  async function openAs(user: string, database: string): Promise<{ url: string; close(): Promise<void> }> {
    await root.query(`create database ${database} owner ${user}`);
    const url = cluster.url.replace('toll@/postgres', `${user}:toll@/${database}`);
    const opened = await openDatabase({ directory: '', url });
    await plantSecret(opened);
    return { url, close: opened.close };
  }

  const askIn = (url: string, sql = 'select count(*) from v_servers') =>
    openHistory({ directory: '', url }).ask({ sql, limit: 10 });
  const offIn = async (url: string): Promise<string> => {
    const { problem } = await askIn(url).then(
      () => expect.unreachable('SQL is on'),
      (error) => error,
    );
    expect(problem.code, problem.detail).toBe('sql_off');
    return problem.detail;
  };

  describe.each(['toll', 'creator'])('for %s', (user) => {
    let opened: { url: string; close(): Promise<void> };
    let admission: Admission;
    let client: pg.Client;
    beforeAll(async () => {
      opened = await openAs(user, `of_${user}`);
      admission = await admitReader(opened.url);
      client = new pg.Client(admission.place);
      await client.connect();
      await admission.begun();
    });
    afterAll(async () => {
      await client.end();
      await admission.end(0);
      await opened.close();
    });

    test('reads the views and no table', async () => {
      const owner = new pg.Client(opened.url);
      await owner.connect();
      const tables = await owner.query<{ name: string }>(
        "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname !~ '^(pg_|information_schema)'",
      );
      await owner.end();
      expect(tables.rows.length).toBeGreaterThan(30);
      for (const { name } of tables.rows) {
        await expect(client.query(`select from ${name}`), name).rejects.toThrow('permission denied');
      }
      for (const name of historyViewNames)
        expect((await client.query(`select from ${name}`)).rows).toEqual([]);
    });

    test('becomes nobody else, and neither writes, nor reads files, nor ends what others do', async () => {
      expect((await client.query("select set_config('role', 'none', false)")).rows).toHaveLength(1);
      await client.query('reset role; reset session authorization');
      for (const sql of [
        `set role ${user}`,
        `set session authorization ${user}`,
        `select set_config('role', '${user}', false)`,
        'create table mine (x integer)',
        'drop view v_servers',
        'select from v_servers for update',
        "select pg_read_file('/etc/passwd')",
        "copy v_servers to program 'true'",
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${user}' and pid <> pg_backend_pid()`,
        'select rolpassword from pg_authid',
        'select from accounts',
      ]) {
        await expect(client.query(sql), sql).rejects.toThrow(/permission denied|must be/);
      }
    });

    test('gives away nothing where nothing judges, whatever our own user would', async () => {
      // Each in a separate session, because some end theirs.
      const toldAs = async (place: Admission['place'], sql: string) => {
        const { read, close } = await openReadOnlyPostgres(place, judgeNothing);
        return await toldBy(read, sql).finally(() => close().catch(() => {}));
      };
      const leaksOf = async (place: Admission['place'], enough = sqlAttacks.length) => {
        const leaks = [];
        for (const sql of sqlAttacks) {
          if ((await toldAs(place, sql)).includes(secret)) leaks.push(sql);
          if (leaks.length === enough) break;
        }
        return leaks;
      };
      const own = { ...admission.place, user, password: 'toll' };
      expect(await leaksOf(own, 40), 'the attacks reach the secret as our own user').toHaveLength(40);
      expect(await leaksOf(admission.place)).toEqual([]);
      // A condition that can fail is not evaluated on measurements that the view excludes.
      expect(await toldAs(admission.place, 'select 1 from v_servers where title::integer = 1')).toBe('[]');
    });

    test('keeps to its time after it has lifted its limit', async () => {
      const { read, close } = await openReadOnlyPostgres(admission.place, judgeNothing);
      const first = "select set_config('statement_timeout', '0', false) from generate_series(1, 1000)";
      const sql = `${first} union all select pg_sleep(60)::text`;
      await expect(read({ ...limits, sql })).rejects.toMatchObject({ code: 'sql_stopped' });
      await close();
    });

    test('ends its session with ours', async () => {
      const { read, backend } = await openReadOnlyPostgres(admission.place, judgeNothing);
      const asleep = Promise.try(read, { ...limits, ms: 60_000, sql: 'select pg_sleep(50)' });
      asleep.catch(() => {});
      const other = await admitReader(opened.url);
      await other.begun();
      await other.end(backend);
      await expect(asleep).rejects.toThrow();
      await expect.poll(() => sessionsOf(backend)).toBe(0);
    });

    test('ends its session when the server is killed', async () => {
      const asking = `
        const { openHistory } = await import(${JSON.stringify(new URL('./open-history.ts', import.meta.url))});
        const limits = { ms: 60_000, bytes: 2000, memoryBytes: 2 ** 30 };
        await openHistory({ directory: '', url: ${JSON.stringify(opened.url)} }, limits).ask({ sql: ${JSON.stringify(endless)}, limit: 1 });
      `;
      const server = spawn(process.execPath, ['--input-type=module', '-e', asking], { stdio: 'ignore' });
      const running = async () => {
        const { rowCount } = await root.query(
          "select from pg_stat_activity where usename = $1 and query like 'fetch%'",
          [admission.place.user],
        );
        return rowCount;
      };
      await expect.poll(running).toBe(1);
      server.kill('SIGKILL');
      const killedAt = performance.now();
      await expect.poll(running).toBe(0);
      expect(performance.now() - killedAt).toBeLessThan(20_000);
      admission = { ...admission, place: (await renewed(opened.url)).place };
    });

    test('is let in with the password of one query', async () => {
      const { place } = admission;
      await expect(askIn(opened.url)).resolves.toMatchObject({ rows: [[0]] });
      await expect(openReadOnlyPostgres(place, judgeNothing)).rejects.toMatchObject({ code: 'sql_off' });
      admission = { ...admission, place: (await renewed(opened.url)).place };
    });
  });

  async function renewed(url: string): Promise<Admission> {
    const admission = await admitReader(url);
    await admission.begun();
    await admission.end(0);
    return admission;
  }

  async function sessionsOf(backend: number): Promise<number> {
    const { rowCount } = await root.query('select from pg_stat_activity where pid = $1', [backend]);
    return rowCount ?? 0;
  }

  test('where our user may not make it, SQL is off and says what to run, once', async () => {
    const { url, close } = await openAs('plain', 'of_plain');
    const told = await offIn(url);
    const [, statements = ''] = told.split('PostgreSQL: ');
    expect(statements).toBe(
      'create role "tls_toll_sql_of_plain" login connection limit 20; grant "tls_toll_sql_of_plain" to "plain";',
    );
    await root.query(statements);
    expect((await askIn(url)).rows).toEqual([[0]]);
    await root.query('alter role tls_toll_sql_of_plain nologin');
    expect(await offIn(url)).toContain('alter role tls_toll_sql_of_plain login');
    await root.query('alter role tls_toll_sql_of_plain login createdb');
    expect(await offIn(url)).toContain('is more than a reader');
    await root.query('alter role tls_toll_sql_of_plain nocreatedb');
    await root.query('grant pg_monitor to tls_toll_sql_of_plain');
    expect(await offIn(url)).toContain('is a member of pg_monitor');
    await root.query('revoke pg_monitor from tls_toll_sql_of_plain');
    const owner = new pg.Client(url);
    await owner.connect();
    await owner.query('grant select (email) on users to public');
    expect(await offIn(url)).toContain('may use users');
    await owner.end();
    await close();
  });

  test('where PostgreSQL does not let it in, SQL is off and says how to', async () => {
    const { url, close } = await openAs('creator', 'of_nobody');
    await allow('local all "tls_toll_sql_of_nobody" reject', 'local all all scram-sha-256');
    const [, line = ''] = (await offIn(url)).split('reload it: ');
    expect(line).toBe('local "of_nobody" "tls_toll_sql_of_nobody" scram-sha-256');
    await allow(line, 'local all "tls_toll_sql_of_nobody" reject', 'local all all scram-sha-256');
    await expect.poll(async () => (await askIn(url)).rows).toEqual([[0]]);
    await close();
  });
});
