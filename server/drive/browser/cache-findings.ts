import { printNumber, printQuantity, scaleFor } from '../../../shared/base/quantity.ts';
import type { CachedResource, CacheSource } from '../../../shared/kinds/comparison/cache-report.ts';
import { sensitiveFindings } from './sensitive-findings.ts';
import type { SideSummary } from './summarise-side.ts';

/** What the visits say, in words, the most important first. Pure. */
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
