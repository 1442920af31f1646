import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

/**
 * A context whose pages ask for nothing past the proxy or the rules of the resolver. Peer connections would: for STUN and TURN they
 * send datagrams and open TCP connections to whatever address a page names. Chromium has no switch that ends them all, and
 * workers know none, so each document is without them before its first script.
 *
 * Service workers exist on https only, so they would set the sides apart before any cache does.
 */
export async function openContext(
  browser: Browser,
  options: Omit<BrowserContextOptions, 'serviceWorkers'> = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...options, serviceWorkers: 'block' });
  await context.addInitScript(() => {
    for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) Reflect.deleteProperty(window, name);
  });
  return context;
}
