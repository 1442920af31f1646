import { trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { browserEncodings } from '../../../shared/scenario/path-scenario.ts';
import {
  type Exchange,
  headerOf,
  type RecordedHeaders,
  type Unsupported,
} from '../../../shared/scenario/recording.ts';
import type { Method } from '../../../shared/scenario/scenario.ts';
import { resolveReference } from '../../base/addresses/origin.ts';
import { placeholderOf } from '../traffic/secret-names.ts';
import { decode } from '../traffic/sent-values.ts';
import { type TrafficReport, trafficToScenario } from '../traffic/traffic-to-scenario.ts';
import { asBytes } from './as-bytes.ts';

/** A request that was written down, not recorded: of a command line or a test. Its answer is not known. */
export type DraftRequest = {
  line: number;
  method: Method;
  url: string;
  /** Path and query, letter by letter. Left out: those of the address, as a browser would write them. */
  path?: string;
  headers: RecordedHeaders;
  body: string | null;
  /** Left out: 200. */
  expectStatus?: number;
  /** A page as a person opens it, not a call of an interface. */
  isPage?: true;
};

/** Opening a page, which is known without a browser. */
export function pageVisit(url: string, headers: RecordedHeaders = []): Omit<DraftRequest, 'line'> {
  return {
    method: 'GET',
    url,
    headers: [['accept', 'text/html'], ['accept-encoding', browserEncodings], ...headers],
    body: null,
    isPage: true,
  };
}

export type DraftFacts = {
  name: string;
  /** Names of secrets that are replaced already. */
  taken?: readonly string[];
  thirdParties?: boolean;
  /** Names of secrets that are none. */
  declined?: readonly string[];
  /** Whether the scenario has a cookie jar: otherwise cookies are sent as they stand. */
  keepsCookies?: boolean;
};

/** Addresses without a host belong to that of the first one that has one. */
export function requestsToScenario(
  requests: readonly DraftRequest[],
  { name, taken = [], thirdParties = false, declined = [], keepsCookies = false }: DraftFacts,
): TrafficReport {
  const { exchanges, unsupported } = exchangesOf(requests);
  const choices = trafficChoicesSchema.parse({ staticFiles: true, thirdParties, declined: [...declined] });
  const report = trafficToScenario(exchanges, name, choices, { keepsCookies }, [], taken);
  return {
    ...report,
    unsupported: [
      ...unsupported,
      ...report.unsupported.map(({ line, reason }) => ({
        line,
        reason: reason.replace(/^Entry \d+/, 'The request'),
      })),
    ],
  };
}

/** The requests as if they had been recorded, one after the other. */
export function exchangesOf(requests: readonly DraftRequest[]): {
  exchanges: Exchange[];
  unsupported: Unsupported[];
} {
  const host = requests.map(({ url }) => URL.parse(url)).find((url) => url !== null && isWeb(url))?.origin;
  const exchanges: Exchange[] = [];
  const unsupported: Unsupported[] = [];
  for (const request of requests) {
    const url = resolveReference(request.url, host ?? 'http://target.invalid');
    if (url === null || !isWeb(url)) {
      unsupported.push({
        line: request.line,
        reason: `${request.url.replace(/\/\/[^/@]*@/, '//').slice(0, 60)} is not an HTTP or HTTPS address.`,
      });
      continue;
    }
    exchanges.push(exchangeOf(request, url, exchanges.length));
  }
  return { exchanges, unsupported };
}

function exchangeOf(request: DraftRequest, url: URL, index: number): Exchange {
  return {
    // The line stands for the entry, so that what is said of it names the line.
    number: request.line,
    startedAtMs: index,
    durationMs: 1,
    method: request.method,
    origin: url.origin,
    // The parser of addresses encodes the braces of `${secret:…}` in a path.
    path:
      request.path ??
      (url.pathname + url.search).replace(/\$%7Bsecret:(\w+)%7D/gi, (_, name) => placeholderOf(name)),
    requestHeaders: withCredentials(request.headers, url),
    requestBody: request.body,
    status: request.expectStatus ?? 200,
    responseHeaders: [],
    responseBody: null,
    resourceType: request.isPage ? 'document' : 'xhr',
  };
}

/** What stands in front of the host goes into a header, as curl and browsers do it. */
function withCredentials(headers: RecordedHeaders, { username, password }: URL): RecordedHeaders {
  if (username + password === '' || headerOf(headers, 'authorization') !== undefined) return headers;
  return [...headers, ['authorization', basicCredentials(`${decode(username)}:${decode(password)}`)]];
}

/** @param user name and password with a colon between them */
export function basicCredentials(user: string): string {
  return `Basic ${btoa(asBytes(user))}`;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
