/** Protects the machine from browsers that are left behind when their parent is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { patienceMs } from '../../testing/patience.ts';
import { findChromium } from './find-chromium.ts';

const program = `
  const { launchChromium } = await import(${JSON.stringify(new URL('./launch-chromium.ts', import.meta.url).href)});
  const [, executablePath] = process.argv;
  const browser = await launchChromium({ executablePath, listeners: [], trustedSpki: null, timeoutMs: ${patienceMs} });
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  process.stdout.write(String(processInfo.find(({ type }) => type === 'browser').id));
`;

test('Chromium does not outlive a parent that was killed', async () => {
  const executablePath = findChromium(process.env) ?? 'no Chromium was found; set CHROMIUM_PATH';
  // Nobody is left to remove the profile.
  const profiles = mkdtempSync(join(tmpdir(), 'launch-chromium-'));
  // The mode of a server's temporary directory, if the server is root and the browser is not.
  chmodSync(profiles, 0o711);
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program, executablePath], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: profiles },
  });
  const [text] = await once(parent.stdout, 'data');
  const pid = Number(text);
  expect(isRunning(pid)).toBe(true);

  parent.kill('SIGKILL');
  await once(parent, 'exit');
  // It is no child of ours, so nothing tells when it ends but asking again; the test's own time limit ends this.
  while (isRunning(pid)) await pause(50);
  rmSync(profiles, { recursive: true, maxRetries: 5, retryDelay: 100 });
  expect(isRunning(pid)).toBe(false);
});

/** A process that has ended and was not yet collected by its parent does not run any more. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
