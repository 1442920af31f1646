import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { problem } from '../../../shared/base/problem.ts';
import {
  type Film,
  mostFilmBytes,
  mostFrameBytes,
  mostFrames,
  mostPages,
  mostRequests,
  type PageRequest,
  type Pass,
  type PassKind,
  type VisitedPage,
  type Waterfall,
} from '../../../shared/kinds/visits/visits.ts';
import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import { withinTime } from '../../base/process/children.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';
import {
  answerDialogs,
  type Pages,
  readScripts,
  readVitals,
  type Scripts,
  StuckError,
  shorten,
  type Vitals,
  watchScripts,
} from './pages.ts';
import {
  type Arrival,
  askResumed,
  distrustIn,
  type ExchangeTimes,
  openContext,
  type Recording,
  recordExchanges,
  sharesConnection,
  type TimedExchange,
  type Witness,
} from './record-exchanges.ts';
import { stuckAt, tryAction } from './try-action.ts';

export type ArmVisit = {
  cold: Pass;
  warm: Pass;
  resumed?: Pass;
  waterfall: Waterfall;
  exchanges: TimedExchange[];
  /** Every response of the origin that came over the network, icons too. */
  arrivals: Arrival[];
  /** Null where they were not watched. */
  scripts: Scripts | null;
};

export type VisitOptions = {
  /** Values that no picture shows. */
  secrets?: readonly string[];
  /** Called before each action of each pass with its place, from 1. */
  onAction?: (pass: PassKind, action: number) => void;
  patienceMs?: number;
  /** Notes which APIs of secure contexts scripts use. This costs time, so the visit must not be measured. */
  watchesScripts?: boolean;
  /** CPU of the server so far, in µs. */
  readServerCpuUs?: (() => number) | undefined;
  /** Adds a pass after the connections were closed. */
  returning?: Returning | undefined;
};

/** A visitor who comes back later. */
type Returning = {
  /** Until server and browser have closed idle connections. */
  afterMs: number;
  witness: Witness;
};

const viewport = { width: 1280, height: 720 };
/** Time for both visits; a page that is busy with itself never answers. */
const usualPatienceMs = 120_000;
const closingMs = 10_000;

/** The machine’s own network cut a visit off, which says nothing of either side. */
export class InterruptedError extends Reason {
  override message = 'a network interface of this machine came or went';
}

/** The next visit would not have opened a connection. */
export class OutlivedError extends Reason {
  override message = 'a connection outlived the idle timeout';
}

/**
 * A visitor who has never been there, and who comes back: with a new page and no cookies, so that the journey is the same,
 * but with the cache of before. Throws not_comparable for a https side that the browser does not trust.
 */
export function visitArm(
  browser: Browser,
  origin: string,
  actions: readonly BrowserAction[],
  signal: AbortSignal,
  {
    secrets = [],
    onAction = () => {},
    patienceMs = usualPatienceMs,
    watchesScripts = false,
    readServerCpuUs,
    returning,
  }: VisitOptions = {},
): Promise<ArmVisit> {
  return inContext(browser, patienceMs, async (context) => {
    if (watchesScripts) await watchScripts(context);
    const take = async (pass: PassKind) => {
      const told = (action: number) => onAction(pass, action);
      const fromUs = readServerCpuUs?.();
      const options = { secrets, onAction: told, watchesScripts };
      const taken = await takeJourney(context, actions, origin, signal, options);
      const usedUs =
        readServerCpuUs === undefined || fromUs === undefined ? null : readServerCpuUs() - fromUs;
      return usedUs === null ? taken : { ...taken, pass: { ...taken.pass, serverCpuUs: Math.round(usedUs) } };
    };
    const cold = await take('cold');
    refuseUntrusted(cold.exchanges, origin);
    const again = async (pass: PassKind) => {
      await context.clearCookies();
      await context.setExtraHTTPHeaders({});
      return take(pass);
    };
    const warm = await again('warm');
    if (returning !== undefined) {
      if (!sharesConnection(warm, cold))
        throw new Reason('the connections had closed before the second visit');
      await pause(returning.afterMs, undefined, { signal });
    }
    const resumed = returning === undefined ? null : await again('resumed');
    if (resumed !== null && (sharesConnection(resumed, cold) || sharesConnection(resumed, warm)))
      throw new OutlivedError();
    const tlsResumed =
      returning === undefined || resumed === null
        ? null
        : await askResumed(context, origin, resumed, returning.witness);
    const last =
      resumed === null ? null : { ...resumed.pass, ...(tlsResumed === null ? {} : { tlsResumed }) };
    const all = [cold, warm, ...(resumed === null ? [] : [resumed])];
    return {
      ...{ cold: cold.pass, warm: warm.pass, ...(last === null ? {} : { resumed: last }) },
      waterfall: {
        cold: cold.pages,
        warm: warm.pages,
        ...(resumed === null ? {} : { resumed: resumed.pages }),
      },
      exchanges: all.flatMap(({ exchanges }) => exchanges),
      arrivals: all.flatMap(({ arrivals }) => arrivals),
      scripts: watchesScripts ? allScripts(all.flatMap(({ scripts }) => scripts)) : null,
    };
  });
}

/** A first visit with pictures. It is slower than one without, so its times are not to be compared with others. */
export function filmArm(
  browser: Browser,
  origin: string,
  actions: readonly BrowserAction[],
  signal: AbortSignal,
  onAction?: (action: number) => void,
): Promise<Film> {
  return inContext(browser, usualPatienceMs, async (context) => {
    const options = { filmed: true, ...(onAction === undefined ? {} : { onAction }) };
    const { film } = await takeJourney(context, actions, origin, signal, options);
    return film;
  });
}

/** A new visitor, who is gone afterwards, however it ends. */
async function inContext<Result>(
  browser: Browser,
  patienceMs: number,
  use: (context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const context = await openContext(browser, { viewport, acceptDownloads: false });
  const { promise: late, reject } = Promise.withResolvers<never>();
  // A page that is being opened when its context closes is never told.
  const patience = setTimeout(() => {
    reject(new Reason(`it was not done after ${patienceMs / 1000} s`));
    context.close().catch(() => {});
  }, patienceMs);
  try {
    return await Promise.race([use(context), late]);
  } finally {
    clearTimeout(patience);
    await withinTime(context.close(), closingMs, null);
  }
}

function refuseUntrusted(exchanges: readonly Exchange[], origin: string): void {
  const distrust = distrustIn(exchanges, origin);
  if (distrust !== null) throw problem('not_comparable', distrust);
}

type Journey = {
  pass: Pass;
  pages: VisitedPage[];
  film: Film;
  exchanges: TimedExchange[];
  arrivals: Arrival[];
  scripts: Scripts[];
};

type JourneyOptions = {
  /** Values that no picture shows. */
  secrets?: readonly string[];
  /** Called before each action with its place, from 1. */
  onAction?: (action: number) => void;
  /** Takes pictures of the first page, which makes the browser slower. */
  filmed?: boolean;
  watchesScripts?: boolean;
};

/** A click begins its navigation after it was answered. */
const navigationBeginsMs = 50;

/**
 * Does the actions in new pages of the context, and waits after each until its page is still; the waits are in no time that
 * is measured, as those count from the start of each navigation. Rejects with a StuckError when an action cannot be done or
 * does not hold.
 * @param origin whose requests are counted
 */
async function takeJourney(
  context: BrowserContext,
  actions: readonly BrowserAction[],
  origin: string,
  signal: AbortSignal,
  { secrets = [], onAction = () => {}, filmed = false, watchesScripts = false }: JourneyOptions = {},
): Promise<Journey> {
  const recordings = new Map<Page, Recording>();
  const documents = new Map<string, Vitals>();
  const scripts: Scripts[] = [];
  const pages: Pages = { context, open: new Map(), dialogs: answerDialogs(context) };
  const watch = async (page: Page) => {
    const session = await context.newCDPSession(page);
    recordings.set(page, await recordExchanges(session));
    return session;
  };
  const wasCut = () => [...recordings.values()].some((recording) => recording.wasCut());
  const first = await context.newPage();
  const session = await watch(first);
  const frames = filmed ? await filmPage(session) : [];
  pages.open.set(0, first);
  const watchPopup = (page: Page) => void watch(page).catch(() => {});
  context.on('page', watchPopup);
  try {
    for (const [index, action] of actions.entries()) {
      signal.throwIfAborted();
      // A person's pause says nothing of a transport.
      if (action.type === 'pause') continue;
      onAction(index + 1);
      const problem = await tryAction(pages, action);
      if (problem !== null) {
        signal.throwIfAborted();
        throw new StuckError(await stuckAt(pages, index + 1, action, problem, secrets));
      }
      await pause(navigationBeginsMs);
      for (const page of pages.open.values()) {
        if (page.isClosed()) continue;
        await page.waitForLoadState('load');
        await recordings.get(page)?.settled();
        const vitals = await readVitals(page);
        if (vitals !== null) documents.set(`${vitals.timeOrigin}`, vitals);
        if (vitals !== null && watchesScripts) scripts.push(await readScripts(page));
      }
    }
    if (wasCut()) throw new InterruptedError();
  } catch (error) {
    throw wasCut() ? new InterruptedError() : error;
  } finally {
    context.off('page', watchPopup);
    pages.dialogs.stop();
    for (const page of pages.open.values()) await page.close().catch(() => {});
  }
  const exchanges = [...recordings.values()].flatMap((recording) => recording.exchanges());
  const arrivals = [...recordings.values()]
    .flatMap((recording) => recording.arrivals())
    .filter(({ url }) => url.startsWith(`${origin}/`));
  const vitals = [...documents.values()];
  const connections = new Set(arrivals.map(({ connection }) => connection)).size;
  return {
    pass: { ...summarise(vitals, ownOf(exchanges, origin)), connections },
    pages: pagesOf(vitals, exchanges, origin),
    film: filmOf(vitals, frames),
    ...{ exchanges, arrivals, scripts },
  };
}

function ownOf(exchanges: readonly Exchange[], origin: string): Exchange[] {
  return exchanges.filter(({ url, status }) => url.startsWith(`${origin}/`) && status > 0);
}

function summarise(documents: readonly Vitals[], exchanges: readonly Exchange[]): Pass {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const microseconds = (ms: readonly number[]) => Math.round(sum(ms) * 1000);
  const sumOfAll = (values: readonly (number | null)[]) =>
    values.some((value) => value === null) ? null : microseconds(values.map(Number));
  return {
    ttfbUs: microseconds(documents.map(({ ttfbMs }) => ttfbMs)),
    fcpUs: sumOfAll(documents.map(({ fcpMs }) => fcpMs)),
    lcpUs: sumOfAll(documents.map(({ lcpMs }) => lcpMs)),
    loadUs: microseconds(documents.map(({ loadMs }) => loadMs)),
    documents: documents.length,
    requests: exchanges.length,
    bytes: Math.round(sum(exchanges.map(({ bytes }) => bytes))),
    cacheHits: exchanges.filter(({ fromCache, status }) => fromCache || status === 304).length,
  };
}

/** @param atMs since 1970 @param picture JPEG in Base64 */
type Frame = { atMs: number; picture: string };

/** A quarter of the viewport's width: enough to see what has been drawn. */
const look = { format: 'jpeg', quality: 50, maxWidth: 320, maxHeight: 180, everyNthFrame: 1 } as const;
/** A paint and its picture may be told two frames apart. */
const slackMs = 34;
/** A journey that never rests must not fill the memory. */
const mostHeld = 500;

/** Takes a picture whenever something on the page has changed. @returns the pictures so far, which grow */
async function filmPage(session: CDPSession): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  session.on('Page.screencastFrame', ({ data, metadata: { timestamp }, sessionId }) => {
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
    if (timestamp !== undefined && frames.length < mostHeld) {
      frames.push({ atMs: timestamp * 1000, picture: data });
    }
  });
  await session.send('Page.startScreencast', look);
  return frames;
}

/** The pictures of each document from the start of its navigation, those that look alike once. */
export function filmOf(documents: readonly Vitals[], frames: readonly Frame[]): Film {
  const inOrder = documents.toSorted((a, b) => a.timeOrigin - b.timeOrigin);
  let room = mostFilmBytes;
  return inOrder.slice(0, mostPages).map(({ timeOrigin, path, fcpMs }, index) => {
    const until = inOrder[index + 1]?.timeOrigin ?? Number.POSITIVE_INFINITY;
    // Until its first paint, what stands there is the page before it.
    const from = timeOrigin + Math.max(0, (fcpMs ?? 0) - slackMs);
    const own = frames.filter(({ atMs }) => atMs >= from && atMs < until);
    const small = own.filter(({ picture }) => bytesOf(picture) <= mostFrameBytes);
    const changed = small.filter(({ picture }, at) => picture !== small[at - 1]?.picture);
    return {
      path: shortened(path),
      frames: spreadOut(changed).flatMap(({ atMs, picture }) => {
        room -= bytesOf(picture);
        return room < 0 ? [] : [{ atUs: Math.round((atMs - timeOrigin) * 1000), picture }];
      }),
    };
  });
}

function bytesOf(picture: string): number {
  return (picture.length * 3) / 4;
}

/** The first, the last, and as many between as there is room for. */
function spreadOut(frames: readonly Frame[]): Frame[] {
  if (frames.length <= mostFrames) return [...frames];
  const step = (frames.length - 1) / (mostFrames - 1);
  return Array.from({ length: mostFrames }, (_, index) => frames[Math.round(index * step)]).filter(
    (frame) => frame !== undefined,
  );
}

type Answered = TimedExchange & { times: ExchangeTimes };

/** A navigation begins with its document, and both clocks are rounded. */
const ofSlackMs = 1;
const longestName = 120;

/**
 * The documents of a pass, each with its requests. A request belongs to the document whose navigation began last before it.
 * @param origin whose requests go without their host
 */
export function pagesOf(
  documents: readonly Vitals[],
  exchanges: readonly TimedExchange[],
  origin: string,
): VisitedPage[] {
  const answered = exchanges
    .filter((exchange): exchange is Answered => exchange.times !== null)
    .toSorted((a, b) => a.times.atMs - b.times.atMs);
  const inOrder = documents.toSorted((a, b) => a.timeOrigin - b.timeOrigin);
  return inOrder.slice(0, mostPages).map((vitals, index) => {
    const until = inOrder[index + 1]?.timeOrigin ?? Number.POSITIVE_INFINITY;
    const own = answered.filter(
      ({ times: { atMs } }) => atMs >= vitals.timeOrigin - ofSlackMs && atMs < until - ofSlackMs,
    );
    return {
      path: shortened(vitals.path),
      ttfbUs: micro(vitals.ttfbMs),
      fcpUs: vitals.fcpMs === null ? null : micro(vitals.fcpMs),
      lcpUs: vitals.lcpMs === null ? null : micro(vitals.lcpMs),
      loadUs: micro(vitals.loadMs),
      requests: own.slice(0, mostRequests).map((exchange) => requestOf(exchange, vitals, origin)),
      more: Math.max(0, own.length - mostRequests),
    };
  });
}

function requestOf(
  { url, type, protocol, status, fromCache, bytes, times }: Answered,
  { timeOrigin }: Vitals,
  origin: string,
): PageRequest {
  return {
    name: nameRequest(url, origin),
    ...{ type, protocol, status, cached: fromCache, bytes: Math.round(bytes) },
    startUs: micro(Math.max(0, times.atMs - timeOrigin)),
    queuedUs: micro(times.queuedMs),
    dnsUs: micro(times.dnsMs),
    connectUs: micro(times.connectMs),
    tlsUs: micro(times.tlsMs),
    waitUs: micro(times.waitMs),
    receiveUs: micro(times.receiveMs),
  };
}

/** A query may hold what nobody should read. */
function nameRequest(url: string, origin: string): string {
  if (!URL.canParse(url)) return shortened(url);
  const { protocol, origin: own, host, pathname } = new URL(url);
  if (!protocol.startsWith('http')) return protocol;
  return shortened(own === origin ? pathname : host + pathname);
}

function shortened(text: string): string {
  return shorten(text, longestName);
}

function micro(ms: number): number {
  return Math.round(ms * 1000);
}

function allScripts(seen: readonly Scripts[]): Scripts {
  return {
    secureContext: seen.every(({ secureContext }) => secureContext),
    used: [...new Set(seen.flatMap(({ used }) => used))].toSorted(),
  };
}
