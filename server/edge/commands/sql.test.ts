/** Protects what `sql` prints: a table, CSV and JSON of the same rows, and the views where it is asked nothing. */
import { expect, test } from 'vitest';
import { historyViews, type SqlResult } from '../../../shared/results/history.ts';
import { describeViews, parseSql, printSqlCsv, printSqlJson, printSqlTable } from './sql.ts';

const result: SqlResult = {
  ...{ columns: ['server', 'keep_alive', 'cpu_ratio', 'note'], cut: null, dialect: 'PostgreSQL' },
  rows: [
    ['nginx', true, 1.23456789, null],
    ['apache, 2', false, 12, '=1+1'],
  ],
};

test('a table has numbers to the right with six digits, and what is missing as a dash', () => {
  expect(printSqlTable(result)).toBe(
    [
      'server     keep_alive  cpu_ratio  note',
      'nginx      true          1.23457  –',
      'apache, 2  false              12  =1+1',
      ...['', '2 rows', ''],
    ].join('\n'),
  );
});

test('CSV and JSON have every digit', () => {
  expect(printSqlCsv(result)).toBe(
    'server,keep_alive,cpu_ratio,note\r\nnginx,true,1.23456789,\r\n"apache, 2",false,12,\'=1+1\r\n',
  );
  expect(JSON.parse(printSqlJson(result))).toEqual([
    { server: 'nginx', keep_alive: true, cpu_ratio: 1.23456789, note: null },
    { server: 'apache, 2', keep_alive: false, cpu_ratio: 12, note: '=1+1' },
  ]);
  expect(JSON.parse(printSqlJson({ ...result, rows: [] }))).toEqual([]);
});

test('the views are listed with each of their columns', () => {
  const text = describeViews();
  for (const { name, columns } of historyViews) {
    expect(text).toContain(`${name}: `);
    for (const column of columns.filter(({ name: each }) => !/_(lo|hi)$/.test(each))) {
      expect(text).toMatch(new RegExp(`^ {2}${column.name} `, 'm'));
    }
  }
});

test('arguments become a request, and mistakes are said', () => {
  expect(parseSql(['select 1', '--json', '--limit', '5'])).toEqual({
    ...{ format: 'json', request: { sql: 'select 1', limit: 5 } },
  });
  expect(parseSql(['select 1'])).toEqual({ format: 'table', request: { sql: 'select 1', limit: 10_000 } });
  expect(parseSql([])).toBeNull();
  for (const wrong of [['select 1', '--csv', '--json'], ['  '], ['select 1', '--limit', 'x'], ['a', 'b']]) {
    expect(() => parseSql(wrong), wrong.join(' ')).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: 'invalid_arguments' }) }),
    );
  }
});
