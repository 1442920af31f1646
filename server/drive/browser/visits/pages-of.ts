import {
  mostPages,
  mostRequests,
  type PageRequest,
  type VisitedPage,
} from '../../../../shared/kinds/visits/waterfall.ts';
import type { ExchangeTimes } from '../exchange-times.ts';
import type { TimedExchange } from '../record-exchanges.ts';
import { shorten } from '../replay/name-element.ts';
import type { Vitals } from './read-vitals.ts';

type Answered = TimedExchange & { times: ExchangeTimes };

/** A navigation begins with its document, and both clocks are rounded. */
const slackMs = 1;
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
      ({ times: { atMs } }) => atMs >= vitals.timeOrigin - slackMs && atMs < until - slackMs,
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
    name: nameOf(url, origin),
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
function nameOf(url: string, origin: string): string {
  if (!URL.canParse(url)) return shortened(url);
  const { protocol, origin: own, host, pathname } = new URL(url);
  if (!protocol.startsWith('http')) return protocol;
  return shortened(own === origin ? pathname : host + pathname);
}

export function shortened(text: string): string {
  return shorten(text, longestName);
}

function micro(ms: number): number {
  return Math.round(ms * 1000);
}
