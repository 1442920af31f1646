import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { unlessAborted } from '../../base/addresses/unless-aborted.ts';
import { readProc } from '../../base/process/proc-files.ts';
import { withDescendants } from '../../base/process/process-tree.ts';
import { withinTime } from '../../base/process/within-time.ts';
import { type ChromiumLaunch, launchChromium } from './launch-chromium.ts';

/** Playwright gives a browser half a minute to end. */
const closingMs = 2_000;

/** Lends a Chromium to `use` and ends it afterwards, by force where it hangs. Rejects with the signal's reason as soon as it is aborted. */
export async function withChromium<T>(
  launch: ChromiumLaunch,
  signal: AbortSignal,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // Chromium passes over what it does not know.
  const mark = `--launch=${randomUUID()}`;
  const launching = launchChromium(launch, [mark]);
  try {
    return await unlessAborted(signal, launching.then(use));
  } finally {
    const closed = launching.then((browser) => browser.close());
    if ((await withinTime(closed, closingMs, 'hangs')) === 'hangs') endGroup(mark);
  }
}

/** Of the process with this argument, whose pid nobody tells before it answers, and of all that it started. */
function endGroup(mark: string): void {
  const leader = withDescendants(process.pid).find((pid) =>
    readProc(`/proc/${pid}/cmdline`)?.split('\0').includes(mark),
  );
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
