import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';

/** What is opened, and how it is seen that somebody can use it. */
export type OpenedPage = {
  path: string;
  /** Selector of what a reader is waiting for. */
  control: string;
  /** Selector of the element to press once the control is there. */
  press: string;
  /** An expression that is true once the page has done what the press asks for. */
  answered: string;
};

export type Visit = { shownMs: number; answeredMs: number };

const timeoutMs = 60_000;

/** Opens a page without a cache: from the start of the navigation until the control is shown, and until a press on it has had its effect. */
export async function visitPage(
  browser: Browser,
  origin: string,
  page: OpenedPage,
  slowdown: number,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const visit = Promise.withResolvers<Visit>();
    await tab.exposeFunction('tellVisit', visit.resolve);
    await tab.addInitScript({ content: watchScript(page) });
    await tab.goto(origin + page.path, { waitUntil: 'commit' });
    return await Promise.race([
      visit.promise,
      pause(timeoutMs, null, { ref: false }).then(() => neverAnswered(page)),
    ]);
  } finally {
    await context.close();
  }
}

function neverAnswered({ path }: OpenedPage): never {
  throw new Error(`${path} did not answer within ${timeoutMs / 1000} s.`);
}

/** Runs in the page before its own scripts. What is shown counts once the thread is free to take a press. */
function watchScript({ control, press, answered }: OpenedPage): string {
  return `(() => {
    const everyMs = 2;
    let shownMs = null;
    const look = () => {
      if (shownMs === null) {
        if (document.querySelector(${JSON.stringify(control)}) === null) return;
        shownMs = performance.now();
        document.querySelector(${JSON.stringify(press)}).click();
      } else if (${answered}) {
        clearInterval(timer);
        tellVisit({ shownMs, answeredMs: performance.now() });
      }
    };
    const timer = setInterval(look, everyMs);
  })()`;
}

type Weight = { requests: number; kB: number; heightPx: number };

/** What a page loads until nothing more comes for half a second, as it is sent, and how tall it then is. */
export async function weighPage(
  browser: Browser,
  origin: string,
  { path, control }: OpenedPage,
): Promise<Weight> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    const sent = await countRequests(session);
    await tab.goto(origin + path, { waitUntil: 'networkidle', timeout: timeoutMs });
    await tab.locator(control).first().waitFor({ timeout: timeoutMs });
    const heightPx: number = await tab.evaluate('document.documentElement.scrollHeight');
    return { ...sent, heightPx };
  } finally {
    await context.close();
  }
}

async function countRequests(session: CDPSession): Promise<{ requests: number; kB: number }> {
  const sent = { requests: 0, kB: 0 };
  // The browser tells of those as well; nobody is asked for them.
  const inPage = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('data:')) inPage.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (inPage.has(requestId)) return;
    sent.requests++;
    sent.kB += encodedDataLength / 1000;
  });
  await session.send('Network.enable');
  return sent;
}
