import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Request } from 'playwright-core';
import type { Egress } from '../egress/open-egress.ts';
import type { BlockedHost } from '../egress/permit-hosts.ts';

const mostHosts = 1_000;
const stillMs = 500;
const lookAgainMs = 50;

type Traffic = {
  /** Of hosts that a page asked for. The browser has wishes of its own. */
  refused(egress: Egress): BlockedHost[];
  /** Resolves once nothing has been under way for half a second, or when the patience is over. */
  still(patienceMs: number): Promise<void>;
};

/** What the pages ask for, whether or not it is recorded. */
export function watchTraffic(context: BrowserContext): Traffic {
  /** With their ports. */
  const hosts = new Set<string | undefined>();
  const underWay = new Set<Request>();
  let movedAt = performance.now();

  function asked(url: string): void {
    if (hosts.size < mostHosts) hosts.add(URL.parse(url)?.host);
  }

  function ended(request: Request): void {
    underWay.delete(request);
    movedAt = performance.now();
  }

  context.on('page', (page) => page.on('websocket', (socket) => asked(socket.url())));
  context.on('request', (request) => {
    asked(request.url());
    underWay.add(request);
    movedAt = performance.now();
  });
  context.on('requestfinished', ended);
  context.on('requestfailed', ended);

  return {
    refused: (egress) => egress.blocked().filter(({ host }) => hosts.has(host)),
    async still(patienceMs) {
      const deadline = performance.now() + patienceMs;
      // What the last action did may ask for something a moment later.
      const isStill = () => underWay.size === 0 && performance.now() - movedAt >= stillMs;
      movedAt = performance.now();
      while (!isStill() && performance.now() < deadline) await pause(lookAgainMs);
    },
  };
}
