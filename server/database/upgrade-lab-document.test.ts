import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { labSchemaVersion } from '../../shared/lab-frame.ts';
import { printLabCsv } from '../measurement/lab-csv.ts';
import { printLabMarkdown } from '../measurement/lab-markdown.ts';
import { upgradeLabDocument } from './upgrade-lab-document.ts';

function golden(kind: string, version: number): unknown {
  return JSON.parse(readFileSync(new URL(`./golden/lab-${kind}-v${version}.json`, import.meta.url), 'utf8'));
}

test.each([
  ['handshakes', 'TLSv1.3 TLS\\_AES\\_128\\_GCM\\_SHA256', 1 + 2],
  ['speed', 'SHA-256', 1 + 6 + 2],
])('the golden %s of every schema version open as of today, with their reports', (kind, name, lines) => {
  for (let version = 1; version <= labSchemaVersion; version++) {
    const document = upgradeLabDocument(golden(kind, version));
    expect(document).toMatchObject({ kind, schemaVersion: labSchemaVersion, state: 'finished' });
    expect(printLabMarkdown(document)).toContain(name);
    expect(printLabCsv(document).trimEnd().split('\r\n')).toHaveLength(lines);
  }
});

test('a browser run of before the sides were named has them, with the same figures', () => {
  expect(upgradeLabDocument(golden('browser', 2))).toStrictEqual(golden('browser', 3));
});

test('a document of a newer version is refused as such, whatever else is in it', () => {
  expect(() => upgradeLabDocument({ schemaVersion: labSchemaVersion + 1, surprise: true })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'run_newer' }) }),
  );
});

test('what is no document of the lab is refused', () => {
  expect(() => upgradeLabDocument({ ...(golden('speed', 1) as object), rows: undefined })).toThrow(/rows/);
  expect(() => upgradeLabDocument(null)).toThrow();
});
