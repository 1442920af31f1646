import type { Browser, BrowserContext } from 'playwright-core';
import { problem } from '../../../../shared/base/problem.ts';
import type { Pass, PassKind } from '../../../../shared/kinds/visits/visits.ts';
import type { Film, Waterfall } from '../../../../shared/kinds/visits/waterfall.ts';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import { withinTime } from '../../../base/process/within-time.ts';
import type { Exchange } from '../../../intake/traffic/page-exchange.ts';
import { distrustIn } from '../distrust-in.ts';
import { openContext } from '../open-context.ts';
import type { TimedExchange } from '../record-exchanges.ts';
import { takeJourney } from './take-journey.ts';

export type ArmVisit = { cold: Pass; warm: Pass; waterfall: Waterfall; exchanges: TimedExchange[] };

export type VisitOptions = {
  /** Values that no picture shows. */
  secrets?: readonly string[];
  /** Called before each action of each pass with its place, from 1. */
  onAction?: (pass: PassKind, action: number) => void;
  patienceMs?: number;
};

const viewport = { width: 1280, height: 720 };
/** Of both passes; a page that is busy with itself answers nothing for ever. */
const usualPatienceMs = 120_000;
const closingMs = 10_000;

/**
 * A visitor who has never been there, and who comes back: with a new page and no cookies, so that the journey is the same,
 * but with the cache of before. Throws not_comparable for a https side that the browser does not trust.
 */
export function visitArm(
  browser: Browser,
  origin: string,
  actions: readonly BrowserAction[],
  signal: AbortSignal,
  { secrets = [], onAction = () => {}, patienceMs = usualPatienceMs }: VisitOptions = {},
): Promise<ArmVisit> {
  return inContext(browser, patienceMs, async (context) => {
    const take = (pass: PassKind) => {
      const told = (action: number) => onAction(pass, action);
      return takeJourney(context, actions, origin, signal, { secrets, onAction: told });
    };
    const cold = await take('cold');
    refuseUntrusted(cold.exchanges, origin);
    await context.clearCookies();
    await context.setExtraHTTPHeaders({});
    const warm = await take('warm');
    return {
      ...{ cold: cold.pass, warm: warm.pass },
      waterfall: { cold: cold.pages, warm: warm.pages },
      exchanges: [...cold.exchanges, ...warm.exchanges],
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
    reject(new Error(`it was not done after ${patienceMs / 1000} s`));
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
