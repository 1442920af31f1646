import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { printNumber, printQuantity, scaleFor } from '../../../shared/base/quantity.ts';
import type {
  CachedResource,
  CacheReport,
  CacheSide,
  CacheSource,
  CacheVisit,
} from '../../../shared/kinds/comparison/cache-report.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { causeOf } from '../../base/text/foreign-errors.ts';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';
import { readTrustedKey, withChromium } from './launch-chromium.ts';
import { CacheProblem, cacheUnavailable, type Visit, type VisitedSide, visitTwice } from './visitors.ts';

export type CacheMeasurement = {
  executablePath: string;
  baseline: Listener;
  comparison: Listener;
  /** PEM of the authority behind the comparison's listener; null for one that Chromium knows by itself. */
  caPem: string | null;
  /** Visited in this order in one tab; the sensitive paths that are not among them come last. */
  pages: readonly string[];
  sensitivePaths: readonly string[];
  /** For the whole section. */
  timeoutMs: number;
  signal?: AbortSignal;
};

/**
 * Visits the pages twice on each side, the baseline without TLS first, in one real Chromium, and tells what its cache did.
 *
 * Always resolves with a report: a section that could not be measured has no sides, and a finding that says why.
 * Rejects only when `signal` is aborted, with its reason.
 */
export async function measureCache(measurement: CacheMeasurement): Promise<CacheReport> {
  const { executablePath, baseline, comparison, timeoutMs, signal: cancelled } = measurement;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = cancelled === undefined ? deadline : AbortSignal.any([deadline, cancelled]);
  if (!existsSync(executablePath)) {
    return cacheUnavailable(
      `There is no Chromium at ${executablePath}, so the cache was not measured. Install one, or set CHROMIUM_PATH.`,
    );
  }
  try {
    const trustedSpki = await trustedKey(measurement, signal);
    const launch = { executablePath, listeners: [baseline, comparison], trustedSpki, timeoutMs };
    return await withChromium(launch, signal, (browser) => visitBothSides(browser, measurement, signal));
  } catch (error) {
    cancelled?.throwIfAborted();
    if (deadline.aborted) {
      return cacheUnavailable(
        `The visits could not be finished in ${timeoutMs / 1000} s, so the cache was not measured. Look whether every page loads in a browser.`,
      );
    }
    return cacheUnavailable(cacheReason(error));
  }
}

async function visitBothSides(
  browser: Browser,
  { baseline, comparison, pages, sensitivePaths }: CacheMeasurement,
  signal: AbortSignal,
): Promise<CacheReport> {
  const allPages = [...new Set([...pages, ...sensitivePaths])];
  const visit = async (listener: Listener) =>
    summariseSide(await visitTwice(browser, listener, allPages, signal), sensitivePaths);
  const plain = await visit(baseline);
  const secure = await visit(comparison);
  return {
    baseline: plain.side,
    comparison: secure.side,
    browser: `Chromium ${browser.version()}`,
    findings: cacheFindings(plain, secure, sensitivePaths),
  };
}

async function trustedKey(
  { comparison, caPem }: CacheMeasurement,
  signal: AbortSignal,
): Promise<string | null> {
  if (caPem === null && comparison.trust === undefined) return null;
  try {
    return await readTrustedKey(comparison, caPem, signal);
  } catch (error) {
    const why = causeOf(error);
    throw new CacheProblem(
      `The certificate of ${comparison.hostname}:${comparison.port} could not be verified${why === null ? '' : ` (${why})`}, and Chromium does not cache what it does not trust, so the cache was not measured. Give the certificate of the authority that signed it, or the certificate itself if it is self-signed.`,
    );
  }
}

function cacheReason(error: unknown): string {
  if (error instanceof CacheProblem) return error.message;
  const why = causeOf(error)?.replace(/\.$/, '');
  return `Chromium failed, so the cache was not measured${why === undefined ? '' : `: ${why}`}. Try CHROMIUM_PATH with another Chromium.`;
}

/** Findings of the visits, in words, the most important first. Pure. */
export function cacheFindings(
  http: SideSummary,
  https: SideSummary,
  sensitivePaths: readonly string[],
): string[] {
  return [
    ...warmVisits(http, https),
    ...sensitiveFindings(http.side, https.side, sensitivePaths),
    ...revalidations(http, https),
    ...[http, https].map(bytesSaved),
    comparedWhat(http, https),
    ...absences(http, https),
    'Bytes are those of HTTP, counted inside TLS, and load times are of one visit each: neither is a measured cost of TLS.',
  ];
}

function warmVisits(http: SideSummary, https: SideSummary): string[] {
  const pairs = pairByPath(http.side.warm.resources, https.side.warm.resources);
  const different = pairs.filter(([plain, secure]) => plain.source !== secure.source);
  if (different.length === 0 && fromCache(http) === fromCache(https)) {
    return [
      `HTTPS is cached like HTTP: on the warm visit ${fromCache(http)} came from the cache on both sides.`,
    ];
  }
  const list = different.map(
    ([plain, secure]) =>
      `${plain.path} was ${words[plain.source]} over http and ${words[secure.source]} over https`,
  );
  return [
    `HTTPS is not cached like HTTP: on the warm visit ${fromCache(http)} came from the cache over http and ${fromCache(https)} over https.`,
    ...(list.length === 0 ? [] : [`Cached differently: ${some(list, '; ')}.`]),
  ];
}

const words: Record<CacheSource, string> = {
  network: 'fetched again',
  cache: 'taken from the cache',
  revalidated: 'revalidated',
  not_stored: 'fetched again, as it is never stored,',
};

function fromCache({ side: { warm } }: SideSummary): string {
  return `${warm.fromCache === 0 ? 'none' : warm.fromCache} of ${counted(warm.requests, 'resource')}`;
}

function revalidations(http: SideSummary, https: SideSummary): string[] {
  const plain = revalidated(http);
  const secure = revalidated(https);
  const meaning = 'so asked for but not sent again (304)';
  if (plain.join() === secure.join()) return told(`Revalidated on both sides, ${meaning}`, plain);
  return [
    ...told(`Revalidated over http, ${meaning}`, plain),
    ...told(`Revalidated over https, ${meaning}`, secure),
  ];
}

function revalidated({ side: { warm } }: SideSummary): string[] {
  const paths = warm.resources.filter(({ source }) => source === 'revalidated').map(({ path }) => path);
  return paths.sort();
}

function bytesSaved({ side: { transport, cold, warm } }: SideSummary): string {
  const scale = (bytes: number) => printQuantity(bytes, scaleFor('bytes', [bytes]));
  const share = cold.bytes === 0 ? 0 : 1 - warm.bytes / cold.bytes;
  return `Over ${transport} the cold visit fetched ${scale(cold.bytes)} and the warm one ${scale(warm.bytes)}: ${printNumber(share * 100, 1)} % saved.`;
}

/** "TLS only", or what users get: a browser offers more encodings to https. */
function comparedWhat(http: SideSummary, https: SideSummary): string {
  const versions = [http.protocols, https.protocols].map((protocols) =>
    protocols.map(protocolName).join(' and '),
  );
  const recoded = pairByPath(http.side.cold.resources, https.side.cold.resources).filter(
    ([plain, secure]) => plain.contentEncoding !== secure.contentEncoding,
  );
  const offered = encodings(https.offeredEncodings).filter(
    (encoding) => !encodings(http.offeredEncodings).includes(encoding),
  );
  const offer = offered.length === 0 ? '' : ` Over https Chromium also offers ${offered.join(' and ')}`;
  if (versions[0] === versions[1] && recoded.length === 0) {
    const unused = offer === '' ? '' : `${offer}, which this target does not use.`;
    return `Compared is TLS only: both sides spoke ${versions[0]} and sent every resource in the same encoding.${unused}`;
  }
  const facts = [
    ...(versions[0] === versions[1] ? [] : [`http spoke ${versions[0]} and https ${versions[1]}`]),
    ...recoded.map(
      ([plain, secure]) =>
        `${plain.path} came ${encodingOf(plain)} over http and ${encodingOf(secure)} over https`,
    ),
  ];
  return `Compared is what users get, not TLS only: ${some(facts, '; ')}.${offer === '' ? '' : `${offer}.`}`;
}

function absences(http: SideSummary, https: SideSummary): string[] {
  const otherHosts = new Set([...http.otherHosts, ...https.otherHosts]);
  const failures = [http, https].flatMap(({ side, failures }) =>
    failures.map((failure) => `${failure} over ${side.transport}`),
  );
  return [
    ...told('Asked for over http only', pathsWithout(http, https)),
    ...told('Asked for over https only', pathsWithout(https, http)),
    ...told('Did not load', failures),
    ...told('The pages ask other origins too, which are not counted here', [...otherHosts]),
  ];
}

function pathsWithout(side: SideSummary, other: SideSummary): string[] {
  const known = new Set(other.side.cold.resources.map(({ path }) => path));
  return side.side.cold.resources.map(({ path }) => path).filter((path) => !known.has(path));
}

function pairByPath(http: CachedResource[], https: CachedResource[]): [CachedResource, CachedResource][] {
  const byPath = new Map(https.map((resource) => [resource.path, resource]));
  return http.flatMap((resource) => {
    const partner = byPath.get(resource.path);
    return partner === undefined ? [] : [[resource, partner]];
  });
}

/** From ALPN's name: `h2` is HTTP/2. */
function protocolName(protocol: string): string {
  return protocol.toUpperCase().replace(/^H(?=\d)/, 'HTTP/');
}

function encodings(header: string): string[] {
  return header.split(',').flatMap((encoding) => encoding.trim() || []);
}

function encodingOf({ contentEncoding }: CachedResource): string {
  return contentEncoding === '' ? 'uncompressed' : `as ${contentEncoding}`;
}

const mostNamed = 5;

/** A finding with its list; none for an empty one. */
function told(fact: string, list: string[]): string[] {
  return list.length === 0 ? [] : [`${fact}: ${some(list)}.`];
}

/** The first few, and how many more. */
function some(texts: string[], separator = ', '): string {
  const named = texts.slice(0, mostNamed).join(separator);
  const rest = texts.length - mostNamed;
  return rest > 0 ? `${named} and ${rest} more` : named;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Whether each sensitive path stayed out of the cache. A 304 counts as a leak: the body that was shown had been stored. Pure.
 */
function sensitiveFindings(http: CacheSide, https: CacheSide, sensitivePaths: readonly string[]): string[] {
  return sensitivePaths.flatMap((path) => judgePath(path, [http, https]));
}

function judgePath(path: string, sides: CacheSide[]): string[] {
  const uses = sides.map((side) => ({ transport: side.transport, resources: resourcesOf(side, path) }));
  const unseen = uses.filter(({ resources }) => resources.length === 0);
  if (unseen.length > 0) {
    const where = unseen.map(({ transport }) => transport).join(' and ');
    return [`Nothing can be said about ${path}, which is sensitive: it did not load over ${where}.`];
  }
  const leaks = uses.filter(({ resources }) => resources.some(isFromCache));
  if (leaks.length > 0) {
    const where = leaks.length === 2 ? 'on both sides' : `over ${leaks[0]?.transport}`;
    return [`${path} is sensitive and came from the cache ${where}. Send it with Cache-Control: no-store.`];
  }
  const storable = uses.flatMap(({ resources }) => resources).find(({ source }) => source !== 'not_stored');
  if (storable !== undefined) {
    const header =
      storable.cacheControl === '' ? 'no Cache-Control' : `Cache-Control: ${storable.cacheControl}`;
    return [
      `${path} is sensitive and did not come from the cache on either side, but a browser may store it (${header}). Send it with Cache-Control: no-store.`,
    ];
  }
  return [`${path} is never cached on either side (no-store).`];
}

function resourcesOf({ cold, warm }: CacheSide, path: string): CachedResource[] {
  return [cold, warm].flatMap(({ resources }) =>
    resources.filter((resource) => resource.path === path || resource.path.split('?')[0] === path),
  );
}

function isFromCache({ source }: CachedResource): boolean {
  return source === 'cache' || source === 'revalidated';
}

/** Data of one side that the findings need in addition to its figures. */
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
