import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runSchemaVersion } from '../../shared/run.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { upgradeDocument } from './upgrade-document.ts';

function golden(version: number): unknown {
  return JSON.parse(readFileSync(new URL(`./golden/run-v${version}.json`, import.meta.url), 'utf8'));
}

test('the golden run of every schema version opens as one of today', () => {
  for (let version = 1; version <= runSchemaVersion; version++) {
    const document = upgradeDocument(golden(version));
    expect(document.schemaVersion).toBe(runSchemaVersion);
    expect(document.blocks.length).toBeGreaterThan(0);
    expect(document.metrics.find(({ id }) => id === 'cpu_per_transaction')?.ratio).not.toBeNull();
  }
});

test('a document of today is left as it is', () => {
  const document = sampleRun();
  expect(upgradeDocument(structuredClone(document))).toStrictEqual(document);
});

test('a document of a newer version is refused as such, whatever else is in it', () => {
  expect(() => upgradeDocument({ schemaVersion: runSchemaVersion + 1, surprise: true })).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'run_newer' }) }),
  );
});

test('a document without a version, or with a part missing, is no run', () => {
  expect(() => upgradeDocument({ ...sampleRun(), schemaVersion: undefined })).toThrow(/schemaVersion/);
  expect(() => upgradeDocument({ ...sampleRun(), blocks: undefined })).toThrow(/blocks/);
  expect(() => upgradeDocument(null)).toThrow();
});
