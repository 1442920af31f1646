/** Protects what SQL cannot reach in PostgreSQL: nothing but the views, by functions that only compute. */
import { expect, test } from 'vitest';
import { sqlExamples } from '../../../../shared/measurement/history.ts';
import { judgePostgres } from './judge-postgres.ts';

test.each([
  'select delete_token_hash from measurements',
  'select * from public.measurements',
  'select (select count(*) from events) from v_servers',
  'select 1 from v_servers where exists (select 1 from documents)',
  'select cell from v_servers union select body from events',
  'select * from v_servers v join lateral (select * from blocks) b on true',
  'with a as (select * from scenarios) select * from a',
  'table measurements',
  "select query_to_xml('select * from measurements', true, false, '')",
  "select * from v_servers where cell = (table_to_xml('measurements', true, false, '')::text)",
  "select set_config('statement_timeout', '0', false)",
  "select pg_read_file('/etc/passwd')",
  "select * from pg_ls_dir('.')",
  'select * from rows from (pg_ls_waldir())',
  'select sum(x) over (order by pg_sleep(1)) from v_servers',
  'select count(*) filter (where pg_sleep(1) is null) from v_servers',
  'select * from pg_catalog.pg_authid',
  'select other.round(1)',
  'select pg_sleep(60)',
  'select 1 operator(other.+) 2',
  "select 'measurements'::regclass",
  "select cast('x' as xml)",
  'select xmlforest(cell) from v_servers',
  'select * into mine from v_servers',
  'select * from v_servers for update',
  'select * from v_servers tablesample system (1)',
  'with gone as (delete from measurements returning *) select * from gone',
  "update measurements set title = ''",
  'delete from v_servers',
  'drop view v_servers',
  'create table mine (x integer)',
  'explain analyze select 1',
  'copy v_servers to stdout',
  'do $$ begin end $$',
  'set role postgres',
  'begin',
  'select 1; select 2',
  ...['current_user', 'session_user', 'user', 'current_role', 'system_user'].map((name) => `select ${name}`),
  ...['current_catalog', 'current_schema'].map(
    (name) => `select count(*) from v_servers where cell = ${name}`,
  ),
])('%s is refused', async (sql) => {
  await expect(judgePostgres(sql)).rejects.toMatchObject({ code: 'sql_refused' });
});

test.each(['selec 1', "select 'open", '', '-- nothing', `select ${'('.repeat(20_000)}1`])(
  '%.20s is no statement',
  async (sql) => {
    await expect(judgePostgres(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^sql_/) });
  },
);

test('a chain that is too long for a parser is refused, and the next query is judged as ever', async () => {
  await expect(judgePostgres(`select ${'1+'.repeat(24_000)}1`)).rejects.toMatchObject({
    code: expect.stringMatching(/^sql_/),
  });
  expect(await judgePostgres('select 1')).toEqual({ statement: 'select 1', named: [] });
});

test.each([
  ...sqlExamples.map(({ sql }) => sql),
  "select distinct on (server) server, extract(year from created_at), cpu_ratio::numeric(8, 2), coalesce(cipher, '–') from v_servers where created_at > now() - interval '7 days' and key in ('P-256', 'RSA-2048') and title ilike '%nginx%' order by server limit 5 offset 1",
  'with recursive n(x) as (select 1 union all select x + 1 from n where x < 9) select x, case when x > 3 then 1 else null end from n',
  'select server, row_number() over (partition by server order by cpu_ratio) from v_servers group by grouping sets ((server, cpu_ratio), ())',
  'select percentile_cont(0.5) within group (order by cpu_ratio) filter (where keep_alive and not resumption) from v_servers',
  "select * from v_servers a join v_servers b using (cell) left join generate_series(1, 3) as g on g = a.concurrency where a.created_at between '2026-01-01' and current_date",
  'values (1), (2)',
  'select current_date, current_time(2), current_timestamp, localtime, localtimestamp(3)',
])('%.60s is let through as it is', async (sql) => {
  expect((await judgePostgres(`${sql};  -- é`)).statement.trim()).toBe(sql);
});

test('names of CTEs are told, as one may hide a table elsewhere in the query', async () => {
  const { named } = await judgePostgres(
    'select x from (with measurements as (select 1 as x) select x from measurements) a, measurements',
  );
  expect(named).toEqual(['measurements']);
});
