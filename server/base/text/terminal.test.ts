/** Protects tables of a terminal: aligned by what it shows, and nothing in them drives it. */
import { describe, expect, test } from 'vitest';
import { alignColumns, textOf } from './terminal.ts';

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
  expect(textOf(['one\r', 'two'])).toBe('one\ufffd\ntwo\n');
  expect(textOf([])).toBe('');
});
