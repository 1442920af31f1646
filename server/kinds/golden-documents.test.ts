/** Protects permalinks: the golden document of each kind opens, its reports agree in their numbers, and a newer version is refused. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { headlineInOneLine } from '../../shared/measurement/measurement.ts';
import type { MeasurementSummary } from '../../shared/results/summary.ts';
import { oldWordsIn } from '../../shared/testing/old-words.ts';
import { asJira, asMarkdown, asSlack, plainly, quietly } from '../../shared/words/message.ts';
import { printDigest } from '../base/text/digest-page.ts';
import { drawDigest, escapeMarkup, printBadge } from '../base/text/digest-picture.ts';
import { printMarkdown } from '../base/text/report.ts';
import { printTerminal } from '../base/text/terminal.ts';
import { previewOf } from '../edge/routes/client.ts';
import { digestOfResult } from '../edge/routes/measurement-routes.ts';
import { allKinds } from '../edge/start/all-kinds.ts';
import { exampleList, pathOfExample } from '../life/examples/with-examples.ts';
import { saidOf, summarise, upgradeDocument } from '../life/measurement/summaries.ts';
import { comparison } from './comparison/kind.ts';
import type { AnyDocument } from './kind.ts';

const goldens = [
  ['comparison', 'run', 'HTTPS', null],
  ['handshakes', 'handshakes', 'TLSv1.3 | TLS\\_AES\\_128\\_GCM\\_SHA256', 1 + 2],
  ['speed', 'speed', 'SHA-256', 1 + 6 + 2],
  ['visits', 'visits', 'First contentful paint', null],
  ['distance', 'distance', 'HTTPS delays the first byte by ', 1 + 5 * 4],
  ['mesh', 'mesh', 'of it is TLS', 1 + (12 + 9 + 11) * 4],
  ['explain', 'explain', 'TLS record encryption', 1 + 3 * 2],
  ['servers', 'servers', 'keepalive-c32', 1 + 4],
  ['sizes', 'sizes', '100,000', null],
  ['prices', 'prices', 'New connection', 1 + 14],
] as const;

function golden(file: string, version: number): unknown {
  return JSON.parse(
    readFileSync(new URL(`../life/database/golden/${file}-v${version}.json`, import.meta.url), 'utf8'),
  );
}

test('every kind has a golden document', () => {
  expect(goldens.map(([name]) => name).toSorted()).toEqual(allKinds.map(({ name }) => name).toSorted());
});

test.each(goldens)(
  'the golden documents of %s open, with their reports and figures',
  (name, file, words, lines) => {
    const kind = allKinds.find((each) => each.name === name);
    if (kind === undefined) throw new Error(name);
    for (let version = 1; version <= kind.documentVersion; version++) {
      const document = upgradeDocument(kind, golden(file, version));
      expect(document).toMatchObject({ kind: name, schemaVersion: kind.documentVersion, state: 'finished' });
      const report = kind.report(document);
      expect(printMarkdown(report)).toContain(words);
      expect(printTerminal(report).split('\n')[0]).toBe(report.title);
      for (const part of report.sections.flatMap(({ parts }) => parts)) {
        if (part.type !== 'table') continue;
        for (const row of part.rows) expect(row).toHaveLength(part.columns.length);
      }
      const rows = kind.rows(document);
      expect(rows.length).toBeGreaterThan(1);
      if (lines !== null) expect(rows).toHaveLength(lines);
      const figures = kind.figuresOf?.(document);
      if (figures === undefined) continue;
      const columns = figures.view.columns.map((column) => column.name);
      expect(figures.rows.length).toBeGreaterThan(0);
      for (const row of figures.rows) expect(Object.keys(row).toSorted()).toEqual(columns.toSorted());
    }
  },
);

/** The number that a cell begins with: `≥ 1,234.5 µs (1,200 to 1,270)` is 1234.5, with one decimal. */
function numberIn(cell: string): { value: number; decimals: number } | null {
  const [, sign = '', digits] = /^(?:≥ )?\\?([+−-]?)([\d,]+(?:\.\d+)?)/.exec(cell) ?? [];
  if (digits === undefined) return null;
  const [, fraction = ''] = digits.split('.');
  const size = Number(digits.replaceAll(',', ''));
  return { value: /[−-]/.test(sign) ? -size : size, decimals: fraction.length };
}

type Grid = { titles: readonly string[]; rows: readonly (readonly string[])[] };

/** Cells of the two sides of a claim: beside it, except where latency and CPU alternate, and where all rows have one first side. */
function sidesOf({ titles, rows }: Grid, place: number): (cells: readonly string[]) => [string, string] {
  const cpu = titles.indexOf('µs CPU');
  const first = rows.find((cells) => cells[place] === '' || cells[place] === '–');
  if (cpu >= 0) return (cells) => [first?.[cpu] ?? '', cells[cpu] ?? ''];
  const alternate = /^CPU at full load/.test(titles[place - 1] ?? '');
  const from = titles[place - 1] === 'Difference' ? place - 3 : place - (alternate ? 4 : 2);
  return (cells) => [cells[from] ?? '', cells[from + (alternate ? 2 : 1)] ?? ''];
}

/** Rows in which the sides do not give the difference, or the change in percent, that is printed. */
function disagreements({ titles, rows }: Grid): string[] {
  const wrong: string[] = [];
  let checked = 0;
  for (const [place, title] of titles.entries()) {
    if (title !== 'Difference' && title !== 'Change') continue;
    const sides = sidesOf({ titles, rows }, place);
    for (const cells of rows) {
      const [first, second] = sides(cells).map(numberIn);
      const claim = numberIn(cells[place] ?? '');
      if (first == null || second == null || claim === null) continue;
      checked++;
      const follows =
        title === 'Difference' ? second.value - first.value : 100 * (second.value / first.value - 1);
      if (Math.abs(follows - claim.value) > 0.5 / 10 ** claim.decimals) wrong.push(cells.join(' | '));
    }
  }
  agreed += checked;
  return wrong;
}

/** Number of checked claims, over all kinds. */
let agreed = 0;

function gridsOfMarkdown(markdown: string): Grid[] {
  const tables = markdown.split('\n\n').filter((block) => block.startsWith('| '));
  return tables.map((block) => {
    const [titles = [], , ...rows] = block.split('\n').map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    return { titles, rows };
  });
}

test.each(goldens)(
  'the numbers of %s agree in its report, in Markdown, and among its figures',
  (name, file) => {
    const kind = allKinds.find((each) => each.name === name);
    if (kind === undefined) throw new Error(name);
    const document = upgradeDocument(kind, golden(file, kind.documentVersion));
    const report = kind.report(document);
    const grids = report.sections
      .flatMap(({ parts }) => parts)
      .filter((part) => part.type === 'table')
      .map(({ columns, rows }) => ({
        titles: columns.map(({ title }) => title),
        rows: rows.map((row) => row.map((cell) => cell ?? '')),
      }));
    expect(grids.flatMap(disagreements)).toEqual([]);
    expect(gridsOfMarkdown(printMarkdown(report)).flatMap(disagreements)).toEqual([]);
    for (const figures of kind.figuresOf?.(document).rows ?? []) {
      const { baseline, comparison, shift, ratio } = figures as Record<string, number | null | undefined>;
      if (baseline == null || comparison == null) continue;
      if (shift != null) expect((comparison - baseline) / baseline).toBeCloseTo(shift / baseline, 6);
      if (ratio != null) expect(comparison / baseline).toBeCloseTo(ratio, 6);
    }
  },
);

test('a number that disagrees is found', () => {
  expect(agreed).toBeGreaterThan(20);
  const titles = ['Metric', 'HTTP', 'HTTPS', 'Difference', 'Change'];
  const rows = [['CPU', '24.0 µs', '42.0 µs', '+18.0 µs', '+75.0 %']];
  expect(disagreements({ titles, rows })).toEqual([]);
  const off = [['CPU', '24.0 µs', '42.0 µs', '+18.1 µs', '+75.1 %']];
  expect(disagreements({ titles, rows: off })).toHaveLength(2);
});

const read = (name: string) => JSON.parse(gunzipSync(readFileSync(pathOfExample(name as never))).toString());
const finished = [
  ...goldens.map(([name, file]) => [`golden ${name}`, golden(file, 1)] as const),
  ...exampleList.map(({ name }) => [`example ${name}`, read(name).document] as const),
];

test.each(finished)('%s has one headline in every medium', (_name, stored) => {
  const kind = allKinds.find(({ name }) => name === (stored as { kind: string }).kind);
  if (kind === undefined) throw new Error('no such kind');
  const document = upgradeDocument(kind, stored) as AnyDocument & { id: string; createdAt: number };
  const headline = kind.headline(document);
  if (headline === null) throw new Error('it says nothing');
  const { title, second, third } = headline;
  const both = headlineInOneLine(headline);
  expect(both).not.toMatch(/NaN|undefined|null|Infinity/);
  expect(second).not.toBe('');

  const { id, state, createdAt } = document;
  const line = {
    id,
    kind: kind.name,
    url: `/r/${id}`,
    title: 'T',
    generatedTitle: 'T',
    tags: [],
    state,
    createdAt,
  };
  const summary = { ...summarise(kind, document), ...line } as unknown as MeasurementSummary;
  expect(summary.headline).toEqual(headline);
  expect(previewOf(summary, '').title).toBe(both);
  const said = saidOf(kind, document);
  const digest = digestOfResult(said, summary);
  expect(digest.headline).toEqual(headline);

  const report = kind.report(document);
  const lines = [title, second, ...(third === undefined ? [] : [third])];
  expect(printTerminal(report).split('\n').slice(0, lines.length)).toEqual(lines);
  expect(printMarkdown(report).split('\n\n').slice(0, 2)).toEqual([`# ${plainly(title)}`, plainly(second)]);
  const escaped = [title, second].map(escapeMarkup);
  for (const part of escaped) expect(printDigest(digest, null)).toContain(part);
  for (const part of [title, second]) {
    expect(asSlack(digest, 'x')).toContain(part);
    expect(asMarkdown(digest, null)).toContain(quietly(part));
    expect(asJira(digest, 'x').replaceAll('\\', '')).toContain(part.replaceAll('\\', ''));
  }
  const drawn = [...drawDigest(digest).matchAll(/>([^<]+)<\/text>/g)].map(([, words]) => words);
  expect(drawn.join(' ')).toContain(escaped[0]?.slice(0, 40));
  expect(drawn).toContainEqual(expect.stringContaining(escaped[1]?.slice(0, 30) ?? ''));
  expect(printBadge({ label: 'TLS Toll', message: both, tone: 'plain' })).toContain(escapeMarkup(both));
});

test.each(finished)('%s has reports in the words of the terms', (_name, stored) => {
  const kind = allKinds.find(({ name }) => name === (stored as { kind: string }).kind);
  if (kind === undefined) throw new Error('no such kind');
  const report = kind.report(upgradeDocument(kind, stored));
  const texts = [printTerminal(report), printMarkdown(report)];
  for (const text of texts) expect(text.length).toBeGreaterThan(300);
  expect(texts.flatMap(oldWordsIn)).toEqual([]);
});

test('a document of the current version is left as it is', () => {
  const document = golden('run', comparison.documentVersion);
  expect(upgradeDocument(comparison, structuredClone(document))).toStrictEqual(document);
});

test('a document of a newer version is refused as such, whatever else is in it', () => {
  const newer = { schemaVersion: comparison.documentVersion + 1, surprise: true };
  expect(() => upgradeDocument(comparison, newer)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'run_newer' }) }),
  );
});

test('a document without a version, or with a part missing, is no run', () => {
  const document = golden('run', comparison.documentVersion) as object;
  expect(() => upgradeDocument(comparison, { ...document, schemaVersion: undefined })).toThrow(
    /schemaVersion/,
  );
  expect(() => upgradeDocument(comparison, { ...document, blocks: undefined })).toThrow(/blocks/);
  expect(() => upgradeDocument(comparison, null)).toThrow();
});
