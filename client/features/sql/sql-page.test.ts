/** Protects the download of query results: every digit, and nothing that a spreadsheet would run as a formula. */
import { expect, test } from 'vitest';
import { printSqlValue, type SqlResult } from '../../../shared/results/history.ts';
import { isNumeric, labelsOf, printCsv, printJsonLines } from './sql-page.tsx';

const result: SqlResult = {
  ...{ columns: ['a', 'a', 'note'], cut: null, dialect: 'SQLite' },
  rows: [
    [-1.23456789, true, '=1+1'],
    [null, false, 'x,"y"'],
  ],
};

test('columns of the same name stay apart', () => {
  expect(labelsOf(result)).toEqual(['a', 'a (2)', 'note']);
  expect([0, 1, 2].map((column) => isNumeric(result, column))).toEqual([true, false, false]);
});

test('the table shows six digits and a dash', () => {
  expect([-1.23456789, null, 1e7, true, 'x'].map(printSqlValue)).toEqual([
    '-1.23457',
    '–',
    '10000000',
    'true',
    'x',
  ]);
});

test('CSV and JSON Lines have all of it', () => {
  expect(printCsv(result)).toBe('a,a (2),note\r\n-1.23456789,true,"\'=1+1"\r\n,false,"x,""y"""\r\n');
  expect(
    printJsonLines(result)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { a: -1.23456789, 'a (2)': true, note: '=1+1' },
    { a: null, 'a (2)': false, note: 'x,"y"' },
  ]);
});

test.each(['=1+1\nx', '@SUM(A1)\r\nx', '\n=1+1', '＝1+1', '＠SUM(A1)'])(
  'a spreadsheet runs no formula that begins with %j',
  (text) => {
    expect(printCsv({ ...result, columns: ['note'], rows: [[text]] })).toBe(`note\r\n"'${text}"\r\n`);
  },
);
