/** Protects the files for other tools: what is read back from Parquet and JSON Lines is what was measured. */
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { expect, test } from 'vitest';
import { slotRows } from '../../kinds/comparison/metric-figures.ts';
import { sizeRows } from '../../kinds/sizes/size-samples.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { sampleSizes } from '../../testing/sample-sizes.ts';
import { printParquet } from './parquet-file.ts';
import { printJsonLines, type Table } from './terminal.ts';

const bufferOf = (table: Table) => printParquet(table).slice().buffer;

function objectsOf([head = [], ...rows]: Table): Record<string, unknown>[] {
  return rows.map((row) => Object.fromEntries(head.map((name, column) => [name, row[column] ?? null])));
}

test.each<[what: string, Table]>([
  ['a run', slotRows(sampleRun())],
  ['a sweep over sizes', sizeRows(sampleSizes())],
])('rows of %s come back as they were', async (_what, table) => {
  expect(table.length).toBeGreaterThan(10);
  expect(await parquetReadObjects({ file: bufferOf(table) })).toEqual(objectsOf(table));
  const lines = printJsonLines(table).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(objectsOf(table));
});

test('numbers are doubles also where all are whole or none is known, and texts keep every letter', async () => {
  const table: Table = [
    ['whole', 'unknown', 'kept', 'text', 'mixed'],
    [1, null, true, 'é, "b"\n検', 'a'],
    [2 ** 40, undefined, false, '', 7],
  ];
  const file = bufferOf(table);
  const { children } = parquetSchema(parquetMetadata(file));
  expect(children.map(({ element }) => [element.name, element.type])).toEqual([
    ['whole', 'DOUBLE'],
    ['unknown', 'DOUBLE'],
    ['kept', 'BOOLEAN'],
    ['text', 'BYTE_ARRAY'],
    ['mixed', 'BYTE_ARRAY'],
  ]);
  expect(await parquetReadObjects({ file })).toEqual([
    { whole: 1, unknown: null, kept: true, text: 'é, "b"\n検', mixed: 'a' },
    { whole: 2 ** 40, unknown: null, kept: false, text: '', mixed: '7' },
  ]);
});

test('a table without rows is a file without rows', async () => {
  expect(await parquetReadObjects({ file: bufferOf([['a', 'b']]) })).toEqual([]);
  expect(printJsonLines([['a', 'b']])).toBe('');
});
