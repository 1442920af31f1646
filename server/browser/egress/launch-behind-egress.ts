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
      // Peer connections would send datagrams past a proxy. A full Chromium knows the first name, a shell the second.
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    ],
  });
}
