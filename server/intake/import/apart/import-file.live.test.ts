/** Protects the import of a file: its format is detected, and a problem is a sentence. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProblemError } from '../../../../shared/base/problem.ts';
import { importReportSchema, trafficChoicesSchema } from '../../../../shared/scenario/import.ts';
import { importFile } from './import-apart.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tls-toll-import-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const facts = { name: 'Imported', choices: trafficChoicesSchema.parse({}) };

function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

function write(text: string): string {
  const path = join(directory, 'file');
  writeFileSync(path, text);
  return path;
}

test.each([
  ['playwright.har', 'har', 7, 0],
  ['chrome.har', 'har', 7, 0],
  ['firefox.har', 'har', 7, 0],
  ['mitmproxy-11.0.2.har', 'har', 4, 0],
  ['codegen-test.spec.ts.txt', 'playwright', 1, 9],
  ['codegen-library.js.txt', 'playwright', 1, 7],
  ['everyday.spec.ts.txt', 'playwright', 2, 6],
  ['devtools.json', 'devtools', 1, 6],
  ['chrome-bash.curl.txt', 'curl', 1, 0],
  ['chrome-cmd.curl.txt', 'curl', 1, 0],
  ['scenario.json', 'json', 1, 0],
])('%s is recognized as %s', async (name, format, steps, actions) => {
  const report = importReportSchema.parse(await importFile(fixture(name), facts));
  expect(report.format).toBe(format);
  expect(report.scenario?.steps).toHaveLength(steps);
  expect(report.actions).toHaveLength(actions);
  expect(JSON.stringify(report)).not.toMatch(/Tr0ub4dor|s3ss10n|Kanarie/);
});

test.each([
  ['{"log":{"entries":[{"request":', 'Entry 1 of the HAR ends too early.'],
  ['{"log":{"version":"1.2"}}', 'not a HAR: it has no log.entries'],
  [`{"log":{"entries":[${'['.repeat(100_000)}`, 'nested deeper than 100 levels'],
  [`{"log":{"entries":[${'{},'.repeat(10_000)}{}]}}`, 'Entry 10001: a HAR may have 10000 entries'],
  ['', 'Unknown format'],
  ['\u0000\u0001\u0002', 'Unknown format'],
  ['{"steps":[{"method":"GET"}]}', 'The scenario: name'],
])('%.40s is refused in a sentence', async (text, sentence) => {
  const failure = await importFile(write(text), facts).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProblemError);
  expect((failure as ProblemError).message).toContain(sentence);
});

test('A directory is no file', async () => {
  await expect(importFile(directory, facts)).rejects.toThrow('is not a file');
});

test('An entry that is none is named, and the others stand', async () => {
  const entry = (url: string) => ({
    startedDateTime: '2026-01-01T00:00:00Z',
    request: { method: 'GET', url, headers: [] },
    response: { status: 200, headers: [], content: {} },
  });
  const odd = { ...entry('http://s/'), request: { method: 7 } };
  const entries = [entry('http://s/a'), odd, null, entry('nonsense'), entry('http://s/b')];
  const { scenario, unsupported } = await importFile(write(JSON.stringify({ log: { entries } })), facts);
  expect(scenario?.steps.map(({ path }) => path)).toEqual(['/a', '/b']);
  expect(unsupported.map(({ line }) => line)).toEqual([2, 3, 4]);
});
