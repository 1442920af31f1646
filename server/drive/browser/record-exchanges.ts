import type { CDPSession } from 'playwright-core';
import type { Exchange } from '../../intake/traffic/page-exchange.ts';

export type Recording = {
  exchanges(): Exchange[];
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
};

type Hop = Exchange & { fromMemory: boolean; expectsExtra: boolean };
type Chain = { hops: Hop[]; extraResponses: Extra[]; extraRequests: Extra[]; finished: boolean };
type Extra = { statusCode?: number; headers: Record<string, string> };

/**
 * Listens to a page's network over the DevTools protocol. Nothing is intercepted: that would turn the cache off.
 *
 * The protocol tells a response twice: `responseReceived` is what the page sees, in which a 304 is the 200 of the stored
 * response; `…ExtraInfo` is what went over the wire, in the same order for each request id but with no order between the two.
 */
export async function recordExchanges(session: CDPSession): Promise<Recording> {
  const chains = new Map<string, Chain>();
  let wake = () => {};

  session.on(
    'Network.requestWillBeSent',
    ({ requestId, request, type, redirectResponse, redirectHasExtraInfo }) => {
      if (type === ownRequests) return;
      const chain = chainOf(requestId);
      const redirected = chain.hops.at(-1);
      if (redirectResponse !== undefined && redirected !== undefined) {
        receive(redirected, redirectResponse, redirectHasExtraInfo);
        redirected.bytes = redirectResponse.encodedDataLength;
      }
      chain.hops.push(newHop(request.url, type));
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
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const hop = lastHop(requestId);
    if (hop !== undefined) hop.bytes = encodedDataLength;
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

  return {
    exchanges: () => [...chains.values()].flatMap(resolveChain),
    async settled() {
      while (![...chains.values()].every(isComplete)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

type DevToolsResponse = {
  status: number;
  headers: Record<string, string>;
  protocol?: string;
  securityState: string;
  fromDiskCache?: boolean;
};

function newHop(url: string, type = ''): Hop {
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
  };
}

function receive(hop: Hop, response: DevToolsResponse, hasExtraInfo: boolean) {
  hop.status = response.status;
  hop.fromCache = hop.fromMemory || response.fromDiskCache === true;
  hop.headers = lowerCaseNames(response.headers);
  hop.protocol = response.protocol ?? '';
  hop.securityState = response.securityState;
  // A response of the page's memory repeats what was announced for the request that once fetched it.
  hop.expectsExtra = hasExtraInfo && !hop.fromMemory;
}

/** Icons are the browser's own wish, after the page has loaded and not on every visit. */
const ownRequests = 'Other';

function isComplete({ hops, extraResponses, finished }: Chain): boolean {
  return (
    hops.length === 0 || (finished && extraResponses.length >= hops.filter((hop) => hop.expectsExtra).length)
  );
}

/** Lays the wire's account over the page's, hop by hop. */
function resolveChain({ hops, extraResponses, extraRequests }: Chain): Exchange[] {
  let next = 0;
  return hops.map(({ expectsExtra, fromMemory: _, ...hop }) => {
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
