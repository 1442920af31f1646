/** Protects what SQL cannot reach in PostgreSQL: nothing but the views, by functions that only compute. */
import { expect, test } from 'vitest';
import { sqlExamples } from '../../../shared/results/history.ts';
import { sqlAttacks } from '../../testing/sql-attacks.ts';
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

test.each(sqlAttacks)('%s is not run', async (sql) => {
  await expect(judgePostgres(sql)).rejects.toMatchObject({
    code: expect.stringMatching(/^sql_(refused|invalid)$/),
  });
});

test.each([
  ['select generate_series from generate_series(1, 3)', 'Name the columns of a function in FROM'],
  ['select v.text from v_servers v', 'v has no column of that name'],
  ['select v from v_servers v', 'v is a whole row'],
  ['select nothing from v_servers', 'There is no column nothing.'],
  ['select w.cell from v_servers v', 'Nothing in FROM is called w.'],
  ['select * from public.v_servers', 'by these names alone'],
  ['with a as (values (1)) select * from (with a as (select 2) select * from a) b', 'another name'],
])('why %s is refused is said', async (sql, words) => {
  await expect(judgePostgres(sql)).rejects.toThrow(words);
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
  expect(await judgePostgres('select 1')).toBe('select 1');
});

test.each([
  ...sqlExamples.map(({ sql }) => sql),
  "select distinct on (server) server, extract(year from created_at), cpu_ratio::numeric(8, 2), coalesce(cipher, '–') from v_servers where created_at > now() - interval '7 days' and key in ('P-256', 'RSA-2048') and title ilike '%nginx%' order by server limit 5 offset 1",
  'with recursive n(x) as (select 1 union all select x + 1 from n where x < 9) select x, case when x > 3 then 1 else null end from n',
  'select server, row_number() over (partition by server order by cpu_ratio) from v_servers group by grouping sets ((server, cpu_ratio), ())',
  'select percentile_cont(0.5) within group (order by cpu_ratio) filter (where keep_alive and not resumption) from v_servers',
  "select * from v_servers a join v_servers b using (cell) left join generate_series(1, 3) as g(n) on g.n = a.concurrency where a.created_at between '2026-01-01' and current_date",
  'values (1), (2)',
  'with a as (select v.server, avg(v.cpu_ratio) as r from v_servers v group by v.server) select v.server, v.r, s.cell from a v join v_servers s using (server) where s.cpu_ratio > v.r order by v.r desc nulls last',
  'select s.count, s.server from (select server, count(*) from v_servers group by server) s where s.count > 1',
  'select v.title, (select max(s.size_bytes) from v_sizes s where s.measurement_id = v.measurement_id) from v_servers v',
  'select v.n from (select v.server as n from v_servers v) v, lateral (select v.n as m) w where w.m = v.n',
  'select q.cell, rank from (select *, rank() over (partition by server order by cpu_ratio) from v_servers) q where q.rank = 1',
  'with recursive n as (select 1 as x union all select n.x + 1 from n where n.x < 9) select n.x from n',
  "select a.c1, x.column1 from (values (1, 2)) as a(c1, c2), (values ('a')) x where a.c2 = any(array[1, 2])",
  'select g.n, g.p from generate_series(1, 3) with ordinality as g(n, p)',
  'select server server, server.key from v_servers server where server.key is not null',
  "select nullif(server, 'a'), server is distinct from 'b', cpu_ratio not between 1 and 2, created_at at time zone 'utc', title not ilike 'x', trim(title), substring(title from 1 for 2) from v_servers where cell similar to 'a%' fetch first 3 rows only",
  'select m.metric, avg(m.ratio) over w from v_metrics m window w as (partition by m.metric order by m.created_at rows between 2 preceding and current row)',
  'select created_at as t from v_servers union all (select created_at from v_sizes limit 1) order by t',
  'table v_metrics',
  'select current_date, current_time(2), current_timestamp, localtime, localtimestamp(3)',
])('%.60s is let through as it is', async (sql) => {
  expect((await judgePostgres(`${sql};  -- é`)).trim()).toBe(sql);
});
