import type {
  CachedResource,
  CacheSide,
  CacheSource,
  CacheVisit,
} from '../../../shared/kinds/comparison/cache-report.ts';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';
import type { Visit, VisitedSide } from './visit-twice.ts';

/** What the findings need of one side beside its figures. */
export type SideSummary = {
  side: CacheSide;
  /** HTTP versions seen, such as `http/1.1`. */
  protocols: string[];
  /** Accept-Encoding as Chromium sent it with the first request. */
  offeredEncodings: string;
  /** Hosts and ports, other than this side of the target, that its pages asked for. */
  otherHosts: string[];
  /** Paths of this side that did not load, with Chromium's reason or the status. */
  failures: string[];
};

export function summariseSide(
  { transport, origin, cold, warm }: VisitedSide,
  sensitivePaths: readonly string[],
): SideSummary {
  const exchanges = [...cold.exchanges, ...warm.exchanges].filter(({ url }) => /^https?:/.test(url));
  const own = exchanges.filter(({ url }) => new URL(url).origin === origin);
  const others = exchanges.filter(({ url }) => new URL(url).origin !== origin);
  const failed = own.filter(({ failure, status }) => failure !== null || status >= 400);
  return {
    side: {
      transport,
      cold: summariseVisit(cold, origin, sensitivePaths),
      warm: summariseVisit(warm, origin, sensitivePaths),
    },
    protocols: unique(own.map(({ protocol }) => protocol).filter((protocol) => protocol !== '')),
    offeredEncodings: own.find(({ offeredEncodings }) => offeredEncodings !== null)?.offeredEncodings ?? '',
    otherHosts: unique(others.map(({ url }) => new URL(url).host)),
    failures: unique(
      failed.map(({ url, failure, status }) => `${pathOf(url)} (${failure ?? `status ${status}`})`),
    ),
  };
}

function summariseVisit(visit: Visit, origin: string, sensitivePaths: readonly string[]): CacheVisit {
  const answered = visit.exchanges.filter(({ url, status }) => url.startsWith(`${origin}/`) && status > 0);
  const resources = mergeByPath(answered.map((exchange) => resourceOf(exchange, sensitivePaths)));
  const count = (source: CacheSource) => resources.filter((resource) => resource.source === source).length;
  return {
    requests: resources.length,
    fromNetwork: count('network'),
    fromCache: count('cache'),
    revalidated: count('revalidated'),
    notStored: count('not_stored'),
    bytes: resources.reduce((sum, { bytes }) => sum + bytes, 0),
    loadMs: visit.loadMs,
    resources,
  };
}

function resourceOf(exchange: Exchange, sensitivePaths: readonly string[]): CachedResource {
  const path = pathOf(exchange.url);
  return {
    path,
    type: exchange.type,
    status: exchange.status,
    source: sourceOf(exchange),
    bytes: Math.round(exchange.bytes),
    contentEncoding: exchange.headers['content-encoding'] ?? '',
    cacheControl: exchange.headers['cache-control'] ?? '',
    sensitive: sensitivePaths.some((sensitive) => path === sensitive || path.split('?')[0] === sensitive),
  };
}

function sourceOf({ status, fromCache, headers }: Exchange): CacheSource {
  if (fromCache) return 'cache';
  if (status === 304) return 'revalidated';
  return /(^|[,\s])no-store\b/i.test(headers['cache-control'] ?? '') ? 'not_stored' : 'network';
}

/** From the one that stays in the browser to the one that costs most. */
const reach: CacheSource[] = ['cache', 'revalidated', 'network', 'not_stored'];

/** One entry a path. A resource that several pages of a visit use is shown by its use that reached furthest, with the bytes of all. */
function mergeByPath(resources: CachedResource[]): CachedResource[] {
  const merged = new Map<string, CachedResource>();
  for (const resource of resources) {
    const known = merged.get(resource.path);
    const furthest =
      known !== undefined && reach.indexOf(known.source) >= reach.indexOf(resource.source) ? known : resource;
    merged.set(resource.path, { ...furthest, bytes: resource.bytes + (known?.bytes ?? 0) });
  }
  return [...merged.values()];
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)];
}
