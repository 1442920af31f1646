import type { Browser, BrowserContext, BrowserContextOptions, CDPSession } from 'playwright-core';
import { withinTime } from '../../base/process/children.ts';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';

/** With its place in a waterfall. */
export type TimedExchange = Exchange & {
  /** Null when no response came. */
  times: ExchangeTimes | null;
  /** TLS parameters with Chromium's names; null without TLS. */
  tls: { protocol: string; cipher: string; group: string } | null;
};

export type Recording = {
  exchanges(): TimedExchange[];
  /** Every response that came over the network, those to the browser's own requests too. */
  arrivals(): Arrival[];
  /** Whether Chromium ended a request because a network interface of the machine came or went, such as that of a container. */
  wasCut(): boolean;
  /** Resolves when nothing is under way any more, or after a second: a stream may never end. */
  settled(): Promise<void>;
};

export type Arrival = { url: string; protocol: string; connection: string };

type Hop = Omit<TimedExchange, 'times'> & {
  fromMemory: boolean;
  expectsExtra: boolean;
  /** Seconds of the browser's monotonic clock. */
  startedS: number;
  /** Time on the clock that a document takes its time origin from, in milliseconds. */
  wallMs: number;
  timing: ResponseTiming | null;
  endedS: number | null;
};
type Chain = { hops: Hop[]; extraResponses: Extra[]; extraRequests: Extra[]; finished: boolean };
type Extra = { statusCode?: number; headers: Record<string, string> };

const stragglersMs = 1_000;

/**
 * Listens to a page's network over the DevTools protocol. Nothing is intercepted: that would turn the cache off.
 *
 * The protocol tells a response twice: `responseReceived` is what the page sees, in which a 304 is the 200 of the stored
 * response; `…ExtraInfo` is what went over the wire, in the same order for each request id but with no order between the two.
 */
export async function recordExchanges(session: CDPSession): Promise<Recording> {
  const chains = new Map<string, Chain>();
  const network = watchNetwork(session);
  let wake = () => {};

  session.on(
    'Network.requestWillBeSent',
    ({ requestId, request, type, timestamp, wallTime, redirectResponse, redirectHasExtraInfo }) => {
      if (type === ownRequests) return;
      const chain = chainOf(requestId);
      const redirected = chain.hops.at(-1);
      if (redirectResponse !== undefined && redirected !== undefined) {
        receive(redirected, redirectResponse, redirectHasExtraInfo);
        redirected.bytes = redirectResponse.encodedDataLength;
        redirected.endedS = timestamp;
      }
      const started = { startedS: timestamp, wallMs: wallTime * 1000 };
      chain.hops.push({ ...newHop(request.url, type), ...started });
    },
  );
  session.on('Network.requestServedFromCache', ({ requestId }) => {
    const hop = lastHop(requestId);
    if (hop !== undefined) hop.fromMemory = true;
  });
  session.on('Network.responseReceived', ({ requestId, response, type, hasExtraInfo }) => {
    const hop = lastHop(requestId);
    if (hop === undefined) return;
    hop.type = type.toLowerCase();
    receive(hop, response, hasExtraInfo);
  });
  session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    chainOf(requestId).extraRequests.push({ headers });
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, headers, statusCode }) => {
    chainOf(requestId).extraResponses.push({ headers, statusCode });
    wake();
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const hop = lastHop(requestId);
    if (hop !== undefined) Object.assign(hop, { bytes: encodedDataLength, endedS: timestamp });
    finish(requestId);
  });
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    const hop = lastHop(requestId);
    if (hop !== undefined && hop.status === 0) hop.failure = errorText;
    finish(requestId);
  });
  await session.send('Network.enable');

  function chainOf(requestId: string): Chain {
    const known = chains.get(requestId);
    if (known !== undefined) return known;
    const chain: Chain = { hops: [], extraResponses: [], extraRequests: [], finished: false };
    chains.set(requestId, chain);
    return chain;
  }

  function lastHop(requestId: string): Hop | undefined {
    return chains.get(requestId)?.hops.at(-1);
  }

  function finish(requestId: string) {
    chainOf(requestId).finished = true;
    wake();
  }

  async function allComplete(): Promise<void> {
    while (![...chains.values()].every(isComplete)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    exchanges: () => [...chains.values()].flatMap(resolveChain),
    ...network,
    settled: () => withinTime(allComplete(), stragglersMs, undefined),
  };
}

/** Records responses that came over the network. A response of the page's memory repeats the connection that once brought it. */
function watchNetwork(session: CDPSession): Pick<Recording, 'arrivals' | 'wasCut'> {
  const arrivals: Arrival[] = [];
  let cut = false;
  const remembered = new Set<string>();
  const arrive = ({ url, protocol = '', connectionId, fromDiskCache }: DevToolsResponse) => {
    if (fromDiskCache === true || connectionId === 0) return;
    arrivals.push({ url, protocol, connection: `${connectionId}` });
  };
  session.on('Network.requestServedFromCache', ({ requestId }) => void remembered.add(requestId));
  session.on('Network.requestWillBeSent', ({ redirectResponse }) => {
    if (redirectResponse !== undefined) arrive(redirectResponse);
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (!remembered.has(requestId)) arrive(response);
  });
  session.on('Network.loadingFailed', ({ errorText }) => {
    if (errorText === 'net::ERR_NETWORK_CHANGED') cut = true;
  });
  return { arrivals: () => arrivals, wasCut: () => cut };
}

type DevToolsResponse = {
  url: string;
  status: number;
  /** 0 where nothing left the browser. */
  connectionId: number;
  headers: Record<string, string>;
  protocol?: string;
  securityState: string;
  fromDiskCache?: boolean;
  timing?: ResponseTiming;
  securityDetails?: { protocol: string; cipher: string; keyExchangeGroup?: string };
};

function newHop(url: string, type = ''): Omit<Hop, 'startedS' | 'wallMs'> {
  return {
    url,
    type: type.toLowerCase(),
    status: 0,
    fromCache: false,
    bytes: 0,
    headers: {},
    protocol: '',
    securityState: 'unknown',
    offeredEncodings: null,
    failure: null,
    fromMemory: false,
    expectsExtra: false,
    tls: null,
    timing: null,
    endedS: null,
  };
}

function receive(hop: Hop, response: DevToolsResponse, hasExtraInfo: boolean) {
  hop.status = response.status;
  hop.fromCache = hop.fromMemory || response.fromDiskCache === true;
  hop.headers = lowerCaseNames(response.headers);
  hop.protocol = response.protocol ?? '';
  hop.securityState = response.securityState;
  hop.timing = response.timing ?? null;
  hop.tls = tlsOf(response);
  // A response of the page's memory repeats what was announced for the request that once fetched it.
  hop.expectsExtra = hasExtraInfo && !hop.fromMemory;
}

function tlsOf({ securityDetails }: DevToolsResponse): Hop['tls'] {
  if (securityDetails === undefined) return null;
  const { protocol, cipher, keyExchangeGroup = '' } = securityDetails;
  return { protocol, cipher, group: keyExchangeGroup };
}

/** Icons are the browser's own wish, after the page has loaded and not on every visit. */
const ownRequests = 'Other';

function isComplete({ hops, extraResponses, finished }: Chain): boolean {
  return (
    hops.length === 0 || (finished && extraResponses.length >= hops.filter((hop) => hop.expectsExtra).length)
  );
}

/** Lays the wire's account over the page's, hop by hop. */
function resolveChain({ hops, extraResponses, extraRequests }: Chain): TimedExchange[] {
  let next = 0;
  return hops.map(({ expectsExtra, fromMemory, startedS, wallMs, timing, endedS, ...untimed }) => {
    // A response from the page's memory repeats the times of the request that once fetched it.
    const times = timesOf({ startedS, wallMs, endedS, timing: fromMemory ? null : timing });
    const hop = { ...untimed, times: untimed.status === 0 ? null : times };
    if (!expectsExtra) return { ...hop, ...(hop.fromCache ? { bytes: 0 } : {}) };
    const response = extraResponses[next];
    const request = extraRequests[next];
    next += 1;
    const revalidated = response?.statusCode === 304;
    return {
      ...hop,
      status: response?.statusCode ?? hop.status,
      fromCache: hop.fromCache && !revalidated,
      offeredEncodings: lowerCaseNames(request?.headers ?? {})['accept-encoding'] ?? null,
    };
  });
}

function lowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** When a request began, and how long each of its parts took; those that did not take place are 0. */
export type ExchangeTimes = {
  /** Milliseconds since 1970, by the browser's clock. */
  atMs: number;
  /** Until it was sent, beside the parts below: for a free connection, or for the browser. */
  queuedMs: number;
  dnsMs: number;
  /** Without TLS. */
  connectMs: number;
  tlsMs: number;
  waitMs: number;
  receiveMs: number;
};

/** Times of the DevTools protocol, in milliseconds from `requestTime`; -1 for a phase that did not take place. */
type ResponseTiming = {
  /** Seconds of the monotonic clock. */
  requestTime: number;
  dnsStart: number;
  dnsEnd: number;
  connectStart: number;
  connectEnd: number;
  sslStart: number;
  sslEnd: number;
  sendStart: number;
  receiveHeadersEnd: number;
};

type Told = {
  /** Seconds of the monotonic clock. */
  startedS: number;
  /** The same moment, in milliseconds since 1970. */
  wallMs: number;
  /** Null while it is under way. */
  endedS: number | null;
  /** Null where nothing left the browser. */
  timing: ResponseTiming | null;
};

/** Null while it is under way. A connection that another request had opened has no part in its times. */
export function timesOf({ startedS, wallMs, endedS, timing }: Told): ExchangeTimes | null {
  if (endedS === null) return null;
  const wholeMs = Math.max(0, (endedS - startedS) * 1000);
  const none = { queuedMs: 0, dnsMs: 0, connectMs: 0, tlsMs: 0, waitMs: 0 };
  if (timing === null) return { atMs: wallMs, ...none, receiveMs: wholeMs };
  const since = (ms: number) => (timing.requestTime - startedS) * 1000 + ms;
  const sentMs = Math.max(0, since(timing.sendStart));
  const headersMs = Math.max(sentMs, since(timing.receiveHeadersEnd));
  const dnsMs = lengthOf(timing.dnsStart, timing.dnsEnd);
  const tlsMs = lengthOf(timing.sslStart, timing.sslEnd);
  const connectMs = Math.max(0, lengthOf(timing.connectStart, timing.connectEnd) - tlsMs);
  return {
    atMs: wallMs,
    queuedMs: Math.max(0, sentMs - dnsMs - connectMs - tlsMs),
    ...{ dnsMs, connectMs, tlsMs },
    waitMs: headersMs - sentMs,
    receiveMs: Math.max(0, wholeMs - headersMs),
  };
}

function lengthOf(start: number, end: number): number {
  return start < 0 || end < start ? 0 : end - start;
}

/**
 * A context whose pages ask for nothing past the proxy or the rules of the resolver. Peer connections would: for STUN and TURN they
 * send datagrams and open TCP connections to whatever address a page names. Chromium has no switch that ends them all, and
 * workers know none, so each document is without them before its first script.
 *
 * Service workers exist on https only, so they would set the sides apart before any cache does.
 */
export async function openContext(
  browser: Browser,
  options: Omit<BrowserContextOptions, 'serviceWorkers'> = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...options, serviceWorkers: 'block' });
  await context.addInitScript(() => {
    for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) Reflect.deleteProperty(window, name);
  });
  return context;
}

/**
 * The first response of a https origin that came without a trusted certificate, in sentences; null for none. Chromium keeps no such
 * response in its cache, however the error was passed over: every warm visit would fetch everything again, and look like a price of https.
 */
export function distrustIn(exchanges: readonly Exchange[], origin: string): string | null {
  if (!origin.startsWith('https:')) return null;
  const doubtful = exchanges.find(
    ({ url, status, securityState }) =>
      url.startsWith(`${origin}/`) && status > 0 && securityState !== 'secure',
  );
  if (doubtful === undefined) return null;
  return `Chromium took ${doubtful.url} without trusting its certificate (security state “${doubtful.securityState}”). It does not cache such responses, which would look like a cost of HTTPS. Give the certificate of the authority that signed it, or the certificate itself if it is self-signed.`;
}

type Arrived = { arrivals: readonly Arrival[] };

export function sharesConnection(later: Arrived, earlier: Arrived): boolean {
  const known = new Set(earlier.arrivals.map(({ connection }) => connection));
  return later.arrivals.some(({ connection }) => known.has(connection));
}

/** Asks over a connection of the pass; null where the server does not say, or the browser opened another one for it. */
export async function askResumed(
  context: BrowserContext,
  origin: string,
  { arrivals }: Arrived,
  witness: Witness,
): Promise<boolean | null> {
  const page = await context.newPage();
  try {
    const asked = await recordExchanges(await context.newCDPSession(page));
    const answered = page.waitForResponse(origin + witness.path);
    // An answer without a body is no page.
    await Promise.all([answered, page.goto(origin + witness.path).catch(() => {})]);
    if (!sharesConnection({ arrivals: asked.arrivals() }, { arrivals })) return null;
    return witness.readResumed((await answered).headers());
  } finally {
    await page.close();
  }
}

/** Address at which a server tells whether a connection resumed its TLS session. */
export type Witness = { path: string; readResumed(headers: Record<string, string>): boolean | null };
