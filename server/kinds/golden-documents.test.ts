/** Protects permalinks: the golden document of each kind opens, its reports agree in their numbers, and a newer version is refused. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type MetricId, quantityOf } from '../../shared/kinds/comparison/metric.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import { headlineInOneLine } from '../../shared/measurement/measurement.ts';
import type { MeasurementSummary } from '../../shared/results/summary.ts';
import { oldWordsIn } from '../../shared/testing/old-words.ts';
import { quantityOfVerdict } from '../../shared/words/headline.ts';
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
import { type Piece, piecesOf, piecesOfLines, readPieces } from '../testing/printed-figures.ts';
import { runVariants } from '../testing/sample-run.ts';
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

/** Numbers with a unit that are set-up, or of studies of others. */
const settings: Partial<Record<KindName, RegExp[]>> = {
  explain: [/[\d.]+ % more CPU while it was recorded[^.]*|At most [\d.]+ %|Counted without a recording: .*/g],
  handshakes: [/In 1997, .*/g],
  sizes: [/Transfer rate lost in 1998: .*?(?=Today)/g],
};

test.each(goldens)('the figures of %s agree in the history', (name, file) => {
  const kind = allKinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(name);
  const document = upgradeDocument(kind, golden(file, kind.documentVersion));
  for (const figures of kind.figuresOf?.(document).rows ?? []) {
    const { baseline, comparison, shift, ratio } = figures as Record<string, number | null | undefined>;
    if (baseline == null || comparison == null) continue;
    if (shift != null) expect((comparison - baseline) / baseline).toBeCloseTo(shift / baseline, 6);
    if (ratio != null) expect(comparison / baseline).toBeCloseTo(ratio, 6);
  }
});

type Row = Record<string, string | number | null | undefined>;

/** Figures of a row in SQL or CSV: part of the key, column, and unit; a ratio is a change. */
type Columns = {
  of: (row: Row, document: { comparisons?: { arm: number }[] }) => string;
  columns: (row: Row) => (readonly [part: string, column: string, unit: string])[];
};

const symbols: Record<string, string> = { us: 'µs', percent: '%', bytes: 'B', 'bytes/s': 'B/s' };
/** Kinds whose rows sum up, each as its report names the same figures. */
const data: Partial<Record<KindName, Columns>> = {
  comparison: {
    of: ({ metric }) => quantityOf(metric as MetricId),
    columns: ({ unit }) => [
      ['first', 'baseline', symbols[String(unit)] ?? String(unit)],
      ['second', 'comparison', symbols[String(unit)] ?? String(unit)],
      ['change', 'ratio', '×'],
    ],
  },
  servers: {
    of: ({ cell }) => `servers/${cell}`,
    columns: () => [
      ['throughput/first', 'throughput_http_per_s', 'requests/s'],
      ['throughput/second', 'throughput_https_per_s', 'requests/s'],
      ['throughput/change', 'throughput_ratio', '×'],
      ['cpu/first', 'cpu_http_us', 'µs'],
      ['cpu/second', 'cpu_https_us', 'µs'],
      ['cpu/change', 'cpu_ratio', '×'],
    ],
  },
  sizes: {
    of: ({ size_bytes, transport }, { comparisons }) =>
      `sizes/${size_bytes}/${transport === 'http' ? 'http' : comparisons?.[0]?.arm}`,
    columns: ({ transport }) => {
      const side = transport === 'http' ? 'first' : 'second';
      return [
        [`latency/${side}`, 'latency_us', 'µs'],
        [`cpu/${side}`, 'cpu_us', 'µs'],
        ['latency/change', 'latency_ratio', '×'],
      ];
    },
  },
  handshakes: {
    of: ({ cell_id }) => `handshakes/${cell_id}`,
    columns: () => [
      ['second', 'cpu_us_median', 'µs'],
      ['change', 'ratio', '×'],
    ],
  },
  distance: {
    of: ({ connection, place }) => `distance/${connection}/link-${place}`,
    // The difference is printed as that of the printed sides, which is up to one digit from its own figure.
    columns: () => [['second', 'ms', 'ms']],
  },
  mesh: { of: ({ cost }) => `mesh/${cost}`, columns: () => [['cpu/difference', 'cpu_us', 'µs']] },
  prices: {
    of: ({ unit, item }) => `prices/${unit}/${item}`,
    // The second side is printed as the first one and the difference, which is up to one digit from its own figure.
    columns: ({ unit }) => [
      ['first', 'http', unit === 'us' ? 'µs' : 'B'],
      ['difference', 'difference', unit === 'us' ? 'µs' : 'B'],
    ],
  },
};

/** Figures of the history in SQL, or of the CSV of a kind that has none. */
function piecesOfData(kind: (typeof allKinds)[number], document: AnyDocument): Piece[] {
  const known = data[kind.name as KindName];
  if (known === undefined) return [];
  const [head = [], ...cells] = kind.rows(document);
  const lines = cells.map((line) => Object.fromEntries(line.map((cell, place) => [head[place], cell])));
  const rows = (kind.figuresOf?.(document).rows ?? lines) as Row[];
  return rows.flatMap((row) =>
    known.columns(row).flatMap(([part, column, unit]) => {
      const value = row[column];
      if (typeof value !== 'number') return [];
      const q = `${known.of(row, document as object)}/${part}`;
      return {
        q,
        text: unit === '×' ? `×${value}` : `${value} ${unit}`,
        place: `${kind.name} in data, ${q}`,
      };
    }),
  );
}

function keysOf(document: AnyDocument & { kind?: string }): { of: string; run?: string | undefined } {
  const run = document as unknown as Parameters<typeof quantityOfVerdict>[0];
  if (document.kind !== 'comparison') return { of: `${document.kind}/headline` };
  return { of: quantityOfVerdict(run) ?? '', run: quantityOfVerdict(run, 'run') };
}

test('a number that disagrees is found, whichever way it does', () => {
  const report = ({
    cpu = '+18.0 µs',
    change = '+75.0 %',
    second = '42.0 µs',
    said = 'It costs 18.0 µs more.',
  }) =>
    readPieces([
      { text: '24.0 µs', q: 'a/run/cpu/first', place: 'table' },
      { text: second, q: 'a/run/cpu/second', place: 'table' },
      { text: `${cpu} 17.2 to 18.8`, q: 'a/run/cpu/difference', place: 'table' },
      { text: `${change} (72 to 78)`, q: 'a/run/cpu/change', place: 'table' },
      { text: '24.0 µs (23.1 to 24.9)', q: 'a/run/cpu/first', place: 'chart' },
      { text: said, of: 'a/run/cpu', place: 'title' },
    ]);
  expect(report({})).toMatchObject({ disagreements: [], claims: 2, keys: 4 });
  const wrong: [Parameters<typeof report>[0], RegExp][] = [
    [{ cpu: '+18.1 µs' }, /^The sides give 18:/],
    [{ change: '+75.1 %' }, /^The sides give 75:/],
    [{ said: 'It costs 18.4 µs more.' }, /^No key: 18\.4 µs/],
    [{ said: 'HTTP takes 31 ms.' }, /^No key: 31 ms/],
    [{ said: '+75 % (24.0 → 43.0 µs)' }, /^Two numbers of a\/run\/cpu, second, time, center/],
  ];
  for (const [change, message] of wrong)
    expect(report(change).disagreements).toContainEqual(expect.stringMatching(message));
});

const read = (name: string) => JSON.parse(gunzipSync(readFileSync(pathOfExample(name as never))).toString());
const run = upgradeDocument(comparison, golden('run', comparison.documentVersion));
const variants = Object.entries(runVariants(run));

const finished = [
  ...variants,
  ...goldens.map(([name, file]) => [`golden ${name}`, golden(file, 1)] as const),
  ...exampleList.map(({ name }) => [`example ${name}`, read(name).document] as const),
];

test.each(finished)('%s has one headline and the same numbers in every medium', (_name, stored) => {
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

  const about = { headline, ...keysOf(document) };
  const pieces = [
    ...piecesOf(report, about),
    ...piecesOfData(kind, document),
    ...piecesOfLines([drawn.join(' ')], 'picture', about),
    ...piecesOfLines(asSlack(digest, 'x').split('\n'), 'message', about),
  ];
  const { disagreements, keys } = readPieces(pieces, settings[kind.name as KindName]);
  expect(disagreements).toEqual([]);
  expect(keys).toBeGreaterThan(2);
  const markdown = printMarkdown(report).replaceAll('\\', '').replaceAll('\u00a0', ' ');
  for (const { q, text } of piecesOf(report, about))
    if (q !== undefined) expect(markdown).toContain(text.replaceAll('\u00a0', ' ').trim());
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
