/** Protects tables of a terminal: aligned by what it shows, and nothing in them drives it. */

import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { estimateSchema } from '../../../shared/base/units.ts';
import { alignColumns, flatten, printCsvLines, printLines } from './terminal.ts';

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

test('nested figures become rows whose columns are paths, with or without values', () => {
  const sided = z.record(z.enum(['a', 'b']), z.strictObject({ cpuUs: z.number() })).nullable();
  const schema = z.strictObject({
    load: z.strictObject({ users: z.int() }).nullable(),
    rounds: z.array(
      z.strictObject({
        ratio: estimateSchema.nullable(),
        medianUs: z.partialRecord(z.enum(['a', 'b']), z.number()),
        sides: sided,
        notes: z.array(z.string()),
        all: z.array(z.number()),
        end: z.discriminatedUnion('is', [
          z.strictObject({ is: z.literal('met') }),
          z.strictObject({ is: z.literal('failed'), why: z.string() }),
        ]),
      }),
    ),
  });
  const names = [
    'measurement_id',
    'load_users',
    'round',
    'ratio',
    'ratio_lo',
    'ratio_hi',
    'median_us_a',
    'median_us_b',
  ];
  const head = [...names, 'side', 'cpu_us', 'notes', 'end_is', 'end_why'];
  expect(flatten(schema)({ id: 'x', load: null, rounds: [] })).toEqual([head]);
  const ratio = { center: 2, lo: 1, hi: 3 };
  const failed = { is: 'failed', why: 'No.' } as const;
  const rounds = [
    {
      ratio,
      medianUs: { a: 5 },
      sides: { a: { cpuUs: 1 }, b: { cpuUs: 2 } },
      notes: ['One.', 'Two.'],
      all: [1],
      end: failed,
    },
    { ratio: null, medianUs: {}, sides: null, notes: [], all: [], end: { is: 'met' } as const },
  ];
  expect(flatten(schema)({ id: 'x', load: { users: 8 }, rounds })).toEqual([
    head,
    ['x', 8, 0, 2, 1, 3, 5, undefined, 'a', 1, 'One. Two.', 'failed', 'No.'],
    ['x', 8, 0, 2, 1, 3, 5, undefined, 'b', 2, 'One. Two.', 'failed', 'No.'],
    ['x', 8, 1, undefined, undefined, undefined, undefined, undefined, null, undefined, '', 'met', undefined],
  ]);
});
