/** Protects what starts a browser as nobody: it can be executed wherever its file came from. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { chromiumInTest } from '../../testing/chromium-in-test.ts';
import { executableScript } from './executable-script.ts';

const script = fileURLToPath(new URL('./start-browser.sh', import.meta.url));

test('a script that has lost its executable bit starts the browser from a copy', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-script-'));
  const without = join(directory, 'start-browser.sh');
  copyFileSync(script, without);
  chmodSync(without, 0o644);
  expect(executableScript(script)).toBe(script);

  const started = executableScript(without) ?? '';
  const pidFile = join(directory, 'pid');
  const env = { PATH: process.env.PATH, BROWSER_FILE: chromiumInTest ?? '', BROWSER_PID_FILE: pidFile };
  expect(execFileSync(started, ['--version'], { env, encoding: 'utf8' })).toContain('Chrom');
  expect(Number(readFileSync(pidFile, 'utf8'))).toBeGreaterThan(0);
  // Nobody else can have put it there, or can change it.
  expect(statSync(dirname(started)).mode & 0o077).toBe(0);
  expect(statSync(without).mode & 0o111).toBe(0);
  rmSync(dirname(started), { recursive: true });
  rmSync(directory, { recursive: true });
});
