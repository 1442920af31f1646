import type { Browser } from 'playwright-core';
import { problem } from '../../../../shared/base/problem.ts';
import type { Pass } from '../../../../shared/kinds/visits/visits.ts';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import type { Exchange } from '../../../intake/traffic/page-exchange.ts';
import { openContext } from '../open-context.ts';
import { untrustedExchange } from '../untrusted-exchange.ts';
import { withinTime } from '../within-time.ts';
import { takeJourney } from './take-journey.ts';

export type ArmVisit = { cold: Pass; warm: Pass; exchanges: Exchange[] };

const viewport = { width: 1280, height: 720 };
/** Of both passes; a page that is busy with itself answers nothing for ever. */
const usualPatienceMs = 120_000;
const closingMs = 10_000;

/**
 * A visitor who has never been there, and who comes back: with a new page and no cookies, so that the journey is the same,
 * but with the cache of before. Throws not_comparable for a https side that the browser does not trust.
 */
export async function visitArm(
  browser: Browser,
  origin: string,
  actions: readonly BrowserAction[],
  signal: AbortSignal,
  { secrets = [], patienceMs = usualPatienceMs }: { secrets?: readonly string[]; patienceMs?: number } = {},
): Promise<ArmVisit> {
  const context = await openContext(browser, { viewport, acceptDownloads: false });
  const { promise: late, reject } = Promise.withResolvers<never>();
  // A page that is being opened when its context closes is never told.
  const patience = setTimeout(() => {
    reject(new Error(`it was not done after ${patienceMs / 1000} s`));
    context.close().catch(() => {});
  }, patienceMs);
  const take = () => Promise.race([takeJourney(context, actions, origin, signal, secrets), late]);
  try {
    const cold = await take();
    refuseUntrusted(cold.exchanges, origin);
    await context.clearCookies();
    await context.setExtraHTTPHeaders({});
    const warm = await take();
    return { cold: cold.pass, warm: warm.pass, exchanges: [...cold.exchanges, ...warm.exchanges] };
  } finally {
    clearTimeout(patience);
    await withinTime(context.close(), closingMs, null);
  }
}

function refuseUntrusted(exchanges: readonly Exchange[], origin: string): void {
  const doubtful = untrustedExchange(exchanges, origin);
  if (doubtful === undefined) return;
  throw problem(
    'not_comparable',
    `Chromium took ${doubtful.url} without trusting its certificate (security state “${doubtful.securityState}”). It does not cache such responses, which would look like a cost of HTTPS. Give the certificate of the authority that signed it, or the certificate itself if it is self-signed.`,
  );
}
