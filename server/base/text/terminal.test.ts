/** Protects tables of a terminal: aligned by what it shows, and nothing in them drives it. */

import { describe, expect, test } from 'vitest';
import { alignColumns, printCsvLines, printLines } from './terminal.ts';

describe('columns', () => {
  test('are as wide as their widest cell, to the left or to the right', () => {
    const rows = [
      ['metric', 'HTTP', 'HTTPS', 'outcome'],
      ['Latency', '1.50 ms', '12 ms', 'overhead'],
    ];
    expect(alignColumns(rows, 'lrrl')).toEqual([
      'metric      HTTP  HTTPS  outcome',
      'Latency  1.50 ms  12 ms  overhead',
    ]);
  });

  test('that follow the last letter go by it, and no line ends with spaces', () => {
    expect(
      alignColumns(
        [
          ['a', 'bb', 'cc'],
          ['long', '', ''],
        ],
        'lr',
      ),
    ).toEqual(['a     bb  cc', 'long']);
    expect(
      alignColumns(
        [
          ['a', 'b'],
          ['long', 'longer'],
        ],
        'l',
      ),
    ).toEqual(['a     b', 'long  longer']);
  });

  test('count a wide character as two, a combining one as none', () => {
    expect(
      alignColumns(
        [
          ['検索', '1'],
          ['cafe\u0301', '10'],
          ['👩‍💻', '5'],
        ],
        'lr',
      ),
    ).toEqual(['検索   1', 'cafe\u0301  10', '👩‍💻     5']);
  });

  test('of no rows are no lines', () => {
    expect(alignColumns([], 'l')).toEqual([]);
  });
});

test('control characters are shown, not obeyed, and do not move a column', () => {
  expect(
    alignColumns(
      [
        ['\u001b[2Ja', '1'],
        ['b', '2'],
      ],
      'l',
    ),
  ).toEqual(['\ufffd[2Ja  1', 'b      2']);
  expect(printLines(['one\r', 'two'])).toBe('one\ufffd\ntwo\n');
  expect(printLines([])).toBe('');
});

/** Protects spreadsheets from texts that they would run as formulas, and texts from changes that nothing needs. */

test.each(['=1', '+1', '-x', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠SUM(A1)'])(
  '%j gets an apostrophe',
  (text) => {
    expect(printCsvLines([[text]]).replace(/^"|"(?=\r\n$)/g, '')).toBe(`'${text}\r\n`);
  },
);

test('numbers, and texts with such a letter elsewhere, stay as they are', () => {
  expect(printCsvLines([[-1, 'a=1', ' +1', '–2']])).toBe('-1,a=1, +1,–2\r\n');
});
