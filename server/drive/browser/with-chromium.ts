import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
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
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([launching.then(use), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    const closed = launching.then((browser) => browser.close()).catch(() => {});
    await Promise.race([closed, pause(closingMs, undefined, { ref: false })]);
  }
}
