/** Protects the CSV of a run, by a reader of its own. */
import { expect, test } from 'vitest';
import { metrics } from '../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { printCsvLines } from '../../base/text/terminal.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { slotRows } from './metric-figures.ts';

const run = sampleRun();
const print = (document: RunDocument) => printCsvLines(slotRows(document));

/** A reader of RFC 4180 written from its grammar, apart from the printer. */
function readCsv(text: string): Record<string, string>[] {
  const records: string[][] = [];
  let rest = text;
  let record: string[] = [];
  while (rest !== '') {
    const [whole = '', quoted, plain = '', end = ''] =
      /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    if (whole === '') throw new Error(`not CSV: ${rest.slice(0, 40)}`);
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') {
      records.push(record);
      record = [];
    }
    rest = rest.slice(whole.length);
  }
  const [header = [], ...rows] = records;
  return rows.map((cells) => {
    expect(cells).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, column) => [name, cells[column] ?? '']));
  });
}

test('there is one row a slot, of kept and dropped blocks', () => {
  const rows = readCsv(print(run));
  expect(rows).toHaveLength(run.blocks.flatMap(({ slots }) => slots).length);
  const late = rows.filter(({ drop_reasons }) => drop_reasons === 'late');
  expect(late.map(({ block, kept }) => [block, kept])).toEqual(Array(3).fill(['23', 'true']));
  const [first, ...others] = run.blocks;
  if (first === undefined) throw new Error('no block');
  const dropped = { ...first, reasons: [{ code: 'errors', message: 'No.', spoils: 'all' } as const] };
  const again = readCsv(print({ ...run, blocks: [dropped, ...others] }));
  expect(again.map(({ kept }) => kept)).toEqual(rows.map((_, index) => String(index >= 3)));
});

test('a row says its launch, its epoch and its place', () => {
  const rows = readCsv(print(run));
  expect(rows.slice(2, 4).map(({ block, slot }) => [block, slot])).toEqual([
    ['0', '3'],
    ['1', '1'],
  ]);
  // Four launches of two epochs of three blocks of three slots.
  expect(rows.map(({ launch }) => launch)).toEqual(rows.map((_, index) => String(Math.floor(index / 18))));
  expect(rows.map(({ epoch }) => epoch)).toEqual(rows.map((_, index) => String(Math.floor(index / 9) % 2)));
});

test('every metric has a column that begins with its id, with the values of the slots', () => {
  const rows = readCsv(print(run));
  const slots = run.blocks.flatMap((block) => block.slots);
  for (const { id } of metrics) {
    const column = Object.keys(rows[0] ?? {}).find((name) => name.startsWith(id));
    if (column === undefined) throw new Error(id);
    expect(rows.map((row) => row[column])).toEqual(slots.map(({ values }) => String(values[id] ?? '')));
  }
});

test('a row has the name of its side, which a twin has as well', () => {
  const named = { ...run.sides.comparison, name: 'ECDSA, P-256' };
  const rows = readCsv(print({ ...run, sides: { ...run.sides, comparison: named } }));
  const sides = new Map(rows.map(({ arm, side }) => [arm, side]));
  expect(Object.fromEntries(sides)).toEqual({ baseline: 'HTTP', comparison: 'ECDSA, P-256', twin: 'HTTP' });
});

test('units stand in the header once', () => {
  const header = print(run).split('\r\n')[0]?.split(',') ?? [];
  expect(header).toContain('cpu_at_load_us');
  expect(header).toContain('throughput_transactions_per_s');
  expect(header).toContain('disk_bytes_per_s');
  expect(header).toContain('cpu_utilization_percent');
  expect(new Set(header).size).toBe(header.length);
});

test('a run without blocks is a header', () => {
  expect(print({ ...run, blocks: [] }).split('\r\n')).toHaveLength(2);
});

test('what was not measured is an empty cell', () => {
  const [block] = run.blocks;
  const [slot] = block?.slots ?? [];
  if (block === undefined || slot === undefined) throw new Error('no slot');
  const bare = { ...slot, target: null, host: null, values: {} };
  const [row] = readCsv(print({ ...run, blocks: [{ ...block, slots: [bare] }] }));
  expect(row?.cpu_at_load_us).toBe('');
  expect(row?.target_memory_start_bytes).toBe('');
  expect(row?.host_steal_ratio).toBe('');
  expect(row?.requests).toBe(String(slot.load.requests));
});

test('texts are quoted where they must be, and none is a formula', () => {
  const id = '=HYPERLINK("http://evil.test","a, b")';
  const [row] = readCsv(print({ ...run, id }));
  expect(row?.run_id).toBe(`'${id}`);
  for (const start of ['+', '-', '@', '\t', '\r']) {
    expect(readCsv(print({ ...run, id: `${start}1` }))[0]?.run_id).toBe(`'${start}1`);
  }
});
