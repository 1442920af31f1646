import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { unlessAborted } from '../../base/addresses/unless-aborted.ts';
import { readProc } from '../../base/process/proc-files.ts';
import { withDescendants } from '../../base/process/process-tree.ts';
import { withinTime } from '../../base/process/within-time.ts';
import { type ChromiumLaunch, launchChromium } from './launch-chromium.ts';

/** Playwright alone waits half a minute for a browser to end. */
const closingMs = 2_000;

/** Runs `use` with a Chromium and ends it afterwards, by force if it hangs. On abort, rejects immediately with the signal's reason. */
export async function withChromium<T>(
  launch: ChromiumLaunch,
  signal: AbortSignal,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // Chromium ignores unknown arguments.
  const mark = `--launch=${randomUUID()}`;
  const launching = launchChromium(launch, [mark]);
  try {
    return await unlessAborted(signal, launching.then(use));
  } finally {
    const closed = launching.then((browser) => browser.close());
    if ((await withinTime(closed, closingMs, 'hangs')) === 'hangs') endGroup(mark);
  }
}

/** Kills the process with this argument and its children. Its pid is unknown until Chromium answers. */
function endGroup(mark: string): void {
  const leader = withDescendants(process.pid).find((pid) =>
    readProc(`/proc/${pid}/cmdline`)?.split('\0').includes(mark),
  );
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
