/** Protects what is said where Valgrind is missing, or only half of it is there. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { demandValgrind } from './kept-servers.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-valgrind-'));
afterEach(() => vi.unstubAllEnvs());
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('without Valgrind, or without its vgdb, it is said what installs it', () => {
  vi.stubEnv('PATH', directory);
  expect(demandValgrind).toThrow(/^Valgrind was not found.* apt install valgrind \(Debian, Ubuntu\)/);
  const path = join(directory, 'valgrind');
  writeFileSync(path, '#!/bin/sh\necho valgrind-3.19.0\n');
  chmodSync(path, 0o755);
  expect(demandValgrind).toThrow('Valgrind was not found');
  writeFileSync(join(directory, 'vgdb'), '');
  expect(demandValgrind()).toMatchObject({ version: '3.19.0', path });
});
