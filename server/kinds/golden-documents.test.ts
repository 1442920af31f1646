/** Protects permalinks: the golden document of each kind opens, with its reports, and a document of a newer version is refused. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { printMarkdown } from '../base/text/report.ts';
import { printTerminal } from '../base/text/terminal.ts';
import { allKinds } from '../edge/start/all-kinds.ts';
import { upgradeDocument } from '../life/measurement/summaries.ts';
import { comparison } from './comparison/kind.ts';

const goldens = [
  ['comparison', 'run', 'HTTPS', null],
  ['handshakes', 'handshakes', 'TLSv1.3 | TLS\\_AES\\_128\\_GCM\\_SHA256', 1 + 2],
  ['speed', 'speed', 'SHA-256', 1 + 6 + 2],
  ['visits', 'visits', 'First contentful paint', null],
  ['distance', 'distance', 'TLS 1.3 adds ', 1 + 5 * 5],
  ['mesh', 'mesh', 'TLS in it costs', 1 + 3 * 4],
  ['explain', 'explain', 'TLS record encryption', 1 + 3 * 2 * 17],
  ['servers', 'servers', 'keepalive-c32', 1 + 4],
  ['sizes', 'sizes', '100,000', null],
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
