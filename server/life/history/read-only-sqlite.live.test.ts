/** Protects what SQL cannot reach in SQLite: nothing but the views, and nothing is written. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseInTest, openDatabaseInTest } from '../../testing/database-in-test.ts';
import { insertInTest } from '../../testing/insert-in-test.ts';
import { sqliteFile } from '../database/open-sqlite.ts';
import type { Reader } from './history-questions.ts';
import { openReadOnlySqlite } from './read-only-sqlite.ts';

let opened: DatabaseInTest;
let run: Reader;
beforeAll(async () => {
  opened = await openDatabaseInTest('SQLite');
  await insertInTest(opened.database);
  run = openReadOnlySqlite(sqliteFile(opened.place.directory));
});
afterAll(() => opened.close());

const ask = async (sql: string) => run({ sql, limit: 100, bytes: 10_000, ms: 5000 });

test.each([
  ['select delete_token_hash from measurements', 'not measurements'],
  ['select title from measurements', 'not measurements'],
  ['select rowid from measurements', 'not measurements'],
  ['select count(*) from measurements', 'not measurements'],
  ['select * from server_figures', 'not server_figures'],
  ['select * from documents', 'not documents'],
  [
    'with v_servers as (select delete_token_hash from measurements) select * from v_servers',
    'not measurements',
  ],
  ['with v_servers as (select request from measurements) select count(*) from v_servers', 'not measurements'],
  ['select * from (select request from measurements) as v_servers', 'not measurements'],
  ['select (select count(*) from events) from v_servers', 'not events'],
  ['select 1 from v_servers where exists (select body from main.documents)', 'not documents'],
  ['select cell from v_servers union select body from events', 'not events'],
  ['select * from sqlite_schema', 'not sqlite_master'],
  ["select * from pragma_table_info('measurements')", 'not pragma_table_info'],
  ['select * from dbstat', 'not dbstat'],
  ["update measurements set title = ''", 'only a SELECT'],
  ["insert into server_figures values ('x', 1)", 'only a SELECT'],
  ['drop view v_servers', 'only a SELECT'],
  ['create table mine (x integer)', 'only a SELECT'],
  ['create temp table mine (x integer)', 'only a SELECT'],
  ['vacuum', ''],
  ["vacuum into 'copy.sqlite'", ''],
  ['begin immediate', 'only a SELECT'],
  ["attach 'other.sqlite' as other", 'attached'],
  ['pragma query_only = off', 'Pragmas'],
  ["select load_extension('x')", ''],
  ['select 1; select 2', 'more than one statement'],
  ['select 1 /* ; */; drop view v_servers', 'more than one statement'],
])('%s is refused', async (sql, words) => {
  await expect(ask(sql)).rejects.toMatchObject({
    code: expect.stringMatching(words === '' ? /^sql_(refused|invalid)$/ : /^sql_refused$/),
    message: expect.stringContaining(words),
  });
});

test('a view is nothing to write to', async () => {
  await expect(ask('delete from v_servers')).rejects.toThrow('views cannot be written');
});

test('values are as JSON can hold them, and none is longer than a MiB', async () => {
  expect(await ask("select 9007199254740993, 1e999, x'00ff', null, 'a', 1.5; -- the end")).toMatchObject({
    rows: [['9007199254740993', 'Infinity', "x'00ff'", null, 'a', 1.5]],
  });
  await expect(ask('select zeroblob(2000000)')).rejects.toThrow('larger than 1 MiB');
});

test('columns of the same name stay apart, and one without a name has the text of its expression', async () => {
  expect(await ask('select 1 as a, 2 as a, 1 + 1')).toMatchObject({
    columns: ['a', 'a', '1 + 1'],
    rows: [[1, 2, 2]],
  });
});

test('the functions of JSON, of time and of windows are there', async () => {
  const sql = `select value, row_number() over (order by value desc), strftime('%Y', 0, 'unixepoch') from json_each('[1,2]')`;
  expect((await ask(sql)).rows).toEqual([
    [2, 1, '1970'],
    [1, 2, '1970'],
  ]);
  expect((await ask('with x as (select 1 union select 2) select count(*) from x')).rows).toEqual([[2]]);
});
