import type { Browser } from 'playwright-core';
import { launchHeadless, quietArguments } from '../launch-chromium.ts';

/**
 * A headless Chromium that reaches the world through the egress only. Playwright's `proxy` takes loopback in as well
 * (`<-loopback>`), which a plain `--proxy-server` leaves out.
 */
export function launchBehindEgress(launch: {
  executablePath: string;
  egressUrl: string;
  timeoutMs: number;
}): Promise<Browser> {
  return launchHeadless({
    executablePath: launch.executablePath,
    timeoutMs: launch.timeoutMs,
    proxy: { server: launch.egressUrl },
    args: [
      ...quietArguments,
      // Names are looked up by the egress; nothing is looked up ahead of it.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}
