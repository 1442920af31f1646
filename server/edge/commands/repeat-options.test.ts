/** Protects long measurements from ending with nowhere to write to: a bad path is refused before they start. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { demandWritable, writeText } from './option-values.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-write-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('a new file, one that is there, and a device can be written', () => {
  const path = join(directory, 'run.html');
  expect(() => demandWritable(path, '--html')).not.toThrow();
  writeText(path, 'text', '--html');
  expect(() => demandWritable(path, '--html')).not.toThrow();
  expect(() => demandWritable('/dev/null', '--html')).not.toThrow();
});

test.each(['.', 'missing/run.html', 'there/run.html'])('%s is refused by the name of its option', (name) => {
  writeText(join(directory, 'there'), '', '--html');
  expect(() => demandWritable(join(directory, name), '--html')).toThrow(
    /^--html: .* cannot be written\. Give/,
  );
});
