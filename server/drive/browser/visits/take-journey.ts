import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { Pass } from '../../../../shared/kinds/visits/visits.ts';
import type { Film, VisitedPage } from '../../../../shared/kinds/visits/waterfall.ts';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import type { Exchange } from '../../../intake/traffic/page-exchange.ts';
import { type Recording, recordExchanges, type TimedExchange } from '../record-exchanges.ts';
import { answerDialogs } from '../replay/answer-dialogs.ts';
import type { Pages } from '../replay/pages.ts';
import { stuckAt, tryAction } from '../replay/try-action.ts';
import { filmOf, filmPage } from './film-page.ts';
import { pagesOf } from './pages-of.ts';
import { readVitals, type Vitals } from './read-vitals.ts';
import { StuckError } from './stuck-error.ts';

type Journey = { pass: Pass; pages: VisitedPage[]; film: Film; exchanges: TimedExchange[] };

type JourneyOptions = {
  /** Values that no picture shows. */
  secrets?: readonly string[];
  /** Called before each action with its place, from 1. */
  onAction?: (action: number) => void;
  /** Takes pictures of the first page, which makes the browser slower. */
  filmed?: boolean;
};

/** A click begins its navigation after it was answered. */
const navigationBeginsMs = 50;

/**
 * Does the actions in new pages of the context, and waits after each until its page is still; the waits are in no time that
 * is measured, as those count from the start of each navigation. Rejects with a StuckError when an action cannot be done or
 * does not hold.
 * @param origin whose requests are counted
 */
export async function takeJourney(
  context: BrowserContext,
  actions: readonly BrowserAction[],
  origin: string,
  signal: AbortSignal,
  { secrets = [], onAction = () => {}, filmed = false }: JourneyOptions = {},
): Promise<Journey> {
  const recordings = new Map<Page, Recording>();
  const documents = new Map<string, Vitals>();
  const pages: Pages = { context, open: new Map(), dialogs: answerDialogs(context) };
  const watch = async (page: Page) => {
    const session = await context.newCDPSession(page);
    recordings.set(page, await recordExchanges(session));
    return session;
  };
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
      }
    }
  } finally {
    context.off('page', watchPopup);
    pages.dialogs.stop();
    for (const page of pages.open.values()) await page.close().catch(() => {});
  }
  const exchanges = [...recordings.values()].flatMap((recording) => recording.exchanges());
  const vitals = [...documents.values()];
  return {
    pass: summarise(vitals, ownOf(exchanges, origin)),
    pages: pagesOf(vitals, exchanges, origin),
    film: filmOf(vitals, frames),
    exchanges,
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
