import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Transport } from '../../../shared/base/transport.ts';
import type { CacheReport } from '../../../shared/kinds/comparison/cache-report.ts';
import type { Film } from '../../../shared/kinds/visits/visits.ts';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { originOf } from '../../base/addresses/origin.ts';
import { problemOfError, reasonOfCode } from '../../base/text/foreign-errors.ts';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';
import { readTrustedKey, withChromium } from './launch-chromium.ts';
import { distrustIn, openContext, recordExchanges } from './record-exchanges.ts';
import { type ArmVisit, filmArm, InterruptedError, type VisitOptions, visitArm } from './visit-arm.ts';

export type Visit = {
  exchanges: Exchange[];
  /** Navigation start to the load event, summed over the pages. */
  loadMs: number;
};
export type VisitedSide = { transport: Transport; origin: string; cold: Visit; warm: Visit };

/**
 * Visits the pages in a new context, whose cache is empty, then again in a new page of it: a reload of the same page would
 * be answered by the page's memory. Throws a `CacheProblem` when a page cannot be opened or is not to be trusted.
 */
export async function visitTwice(
  browser: Browser,
  listener: Pick<Listener, 'transport' | 'hostname' | 'port'>,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<VisitedSide> {
  const { transport } = listener;
  const origin = originOf(listener);
  const context = await openContext(browser);
  try {
    const cold = await visitPages(context, origin, paths, signal);
    const warm = await visitPages(context, origin, paths, signal);
    return { transport, origin, cold, warm };
  } finally {
    await context.close();
  }
}

async function visitPages(
  context: BrowserContext,
  origin: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Visit> {
  const page = await context.newPage();
  const recording = await recordExchanges(await context.newCDPSession(page));
  let loadMs = 0;
  for (const path of paths) {
    signal.throwIfAborted();
    await open(page, origin, path);
    loadMs += await loadTime(page);
    await recording.settled();
    refuseUntrusted(recording.exchanges(), origin);
  }
  await page.close();
  return { exchanges: recording.exchanges(), loadMs };
}

async function open(page: Page, origin: string, path: string) {
  try {
    // The deadline of the whole section ends this wait.
    await page.goto(origin + path, { timeout: 0 });
  } catch (error) {
    const reason = /net::\w+/.exec(String(error))?.[0];
    if (reason === undefined) throw error;
    throw new CacheProblem(
      `Chromium could not open ${origin}${path}, so the cache was not measured. The server ${reasonOfCode(reason)}.${adviceOn(reason)}`,
    );
  }
  const arrived = new URL(page.url()).origin;
  if (arrived !== origin) {
    throw new CacheProblem(
      `${origin}${path} leads to ${arrived}, so the two sides cannot be told apart and the cache was not measured. Serve each side without a redirect to the other.`,
    );
  }
}

function adviceOn(reason: string): string {
  return reason.startsWith('net::ERR_CERT_')
    ? ' Give the certificate of the authority that signed it, or the certificate itself if it is self-signed.'
    : '';
}

function loadTime(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return navigation?.loadEventStart ?? 0;
  });
}

function refuseUntrusted(exchanges: Exchange[], origin: string) {
  const distrust = distrustIn(exchanges, origin);
  if (distrust !== null) throw new CacheProblem(`The cache was not measured. ${distrust}`);
}

/** The section when it could not be measured: no figures, and a sentence that says why. */
export function cacheUnavailable(reason: string, browser: string | null = null): CacheReport {
  return { baseline: null, comparison: null, browser, findings: [reason] };
}

/** Thrown inside the section; its message is a finding, in sentences. */
export class CacheProblem extends Error {}

/** The journey as it is done at the origin of a listener. */
type ActionsAt = (origin: string) => BrowserAction[];

/** A listener, and the end of a link that leads to it. */
export type Reached = Listener & { through?: { address: string; port: number } };

export type Visitors = {
  /** Name and version. */
  browser: string;
  visit(listener: Listener, actionsAt: ActionsAt, options?: VisitOptions): Promise<ArmVisit>;
  /** Once more, with pictures. */
  film(listener: Listener, actionsAt: ActionsAt, onAction?: (action: number) => void): Promise<Film>;
};

const launchMs = 20_000;

/**
 * Lends a browser that reaches these listeners only; a second one where HTTP/3 and another protocol are spoken at the same address,
 * because Chromium takes HTTP/3 for all or none of an origin's requests. Throws not_comparable when a certificate cannot be verified.
 */
export async function withVisitors<Result>(
  executablePath: string,
  listeners: readonly Reached[],
  signal: AbortSignal,
  use: (visitors: Visitors) => Promise<Result>,
  idleS?: number,
): Promise<Result> {
  const trustedSpki = await trustedKey(listeners, signal);
  const launchFor = (own: readonly Reached[]) => ({
    ...{ executablePath, trustedSpki, idleS, timeoutMs: launchMs },
    listeners: own,
  });
  const lend = (browserOf: (listener: Listener) => Browser) =>
    use({
      browser: `Chromium ${browserOf(listeners[0] as Listener).version()}`,
      visit: (listener, actionsAt, options) => {
        const origin = originOf(listener);
        const browser = browserOf(listener);
        return unlessInterrupted(() => visitArm(browser, origin, actionsAt(origin), signal, options));
      },
      film: (listener, actionsAt, onAction) => {
        const origin = originOf(listener);
        return filmArm(browserOf(listener), origin, actionsAt(origin), signal, onAction);
      },
    });
  const overUdp = listeners.filter(({ http3 }) => http3 === true);
  const others = listeners.filter((listener) => !overUdp.includes(listener));
  const origins = new Set(overUdp.map(originOf));
  if (!others.some((listener) => origins.has(originOf(listener))))
    return withChromium(launchFor(listeners), signal, (browser) => lend(() => browser));
  return withChromium(launchFor(overUdp), signal, (first) =>
    withChromium(launchFor(others), signal, (second) =>
      lend((listener) => (listener.http3 === true ? first : second)),
    ),
  );
}

const mostInterruptions = 3;

/** Makes a visit again that the machine’s own network cut off. */
async function unlessInterrupted<Visit>(visit: () => Promise<Visit>): Promise<Visit> {
  for (let interruptions = 1; ; interruptions++) {
    try {
      return await visit();
    } catch (error) {
      if (!(error instanceof InterruptedError) || interruptions === mostInterruptions) throw error;
    }
  }
}

async function trustedKey(listeners: readonly Listener[], signal: AbortSignal): Promise<string | null> {
  const listener = listeners.find(({ ca, trust }) => ca !== null || trust !== undefined);
  if (listener === undefined) return null;
  try {
    return await readTrustedKey(listener, listener.ca, signal);
  } catch (error) {
    const { hostname, port } = listener;
    throw problemOfError(
      'not_comparable',
      `The certificate of ${hostname}:${port} could not be verified`,
      error,
    );
  }
}
