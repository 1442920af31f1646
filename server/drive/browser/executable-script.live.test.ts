/** Protects a script of ours that starts a program: it can be executed wherever its file came from. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { executableScript } from './launch-chromium.ts';

test('a script that has lost its executable bit is executed as a copy', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-script-'));
  const without = join(directory, 'start-browser.sh');
  writeFileSync(without, '#!/bin/sh\necho "$1"\n', { mode: 0o644 });
  const started = executableScript(without) ?? '';
  expect(execFileSync(started, ['started'], { encoding: 'utf8' })).toBe('started\n');
  // Nobody else can have put it there, or can change it.
  expect(statSync(dirname(started)).mode & 0o077).toBe(0);
  expect(statSync(without).mode & 0o111).toBe(0);
  chmodSync(without, 0o755);
  expect(executableScript(without)).toBe(without);
  rmSync(dirname(started), { recursive: true });
  rmSync(directory, { recursive: true });
});
