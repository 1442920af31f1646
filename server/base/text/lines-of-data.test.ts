/** Protects spreadsheets from texts that they would run as formulas, and texts from changes that nothing needs. */
import { expect, test } from 'vitest';
import { printCsvLines } from './lines-of-data.ts';

test.each(['=1', '+1', '-x', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠SUM(A1)'])(
  '%j gets an apostrophe',
  (text) => {
    expect(printCsvLines([[text]]).replace(/^"|"(?=\r\n$)/g, '')).toBe(`'${text}\r\n`);
  },
);

test('numbers, and texts with such a letter elsewhere, stay as they are', () => {
  expect(printCsvLines([[-1, 'a=1', ' +1', '–2']])).toBe('-1,a=1, +1,–2\r\n');
});
