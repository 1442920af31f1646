import type { Browser } from 'playwright-core';
import { unlessAborted } from '../../base/addresses/unless-aborted.ts';
import { withinTime } from '../../base/process/within-time.ts';
import { type ChromiumLaunch, launchChromium } from './launch-chromium.ts';

/** A browser that hangs is killed by Playwright in its own time; nobody waits longer than this to see it end. */
const closingMs = 5_000;

/** Lends a Chromium to `use` and closes it afterwards. Rejects with the signal's reason as soon as it is aborted. */
export async function withChromium<T>(
  launch: ChromiumLaunch,
  signal: AbortSignal,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const launching = launchChromium(launch);
  try {
    return await unlessAborted(signal, launching.then(use));
  } finally {
    const closed = launching.then((browser) => browser.close());
    await withinTime(closed, closingMs, null);
  }
}
