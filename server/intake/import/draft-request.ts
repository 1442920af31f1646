import { problem } from '../../../shared/base/problem.ts';
import {
  type Exchange,
  headerOf,
  type RecordedHeaders,
  trafficChoicesSchema,
  type Unsupported,
} from '../../../shared/scenario/import.ts';
import { browserEncodings, type Method, reservedHeaders } from '../../../shared/scenario/scenario.ts';
import { resolveReference } from '../../base/addresses/origin.ts';
import { isRecord } from '../../base/text/is-record.ts';
import { decode } from '../traffic/sent-values.ts';
import { placeholderOf } from '../traffic/spellings.ts';
import { type TrafficReport, trafficToScenario } from '../traffic/traffic-to-scenario.ts';

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

/** Moves credentials in front of the host into a header, like curl and browsers. */
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

/** In UTF-16 units, of all that an import yields, written as JSON: a few lines of its source may stand for far more. */
const mostYielded = 16 * 2 ** 20;

/** Takes one part of what an import yields. Throws import_unreadable with the line, once all parts are too large together. */
export type TakeYield = (line: number | null, part: unknown) => void;

export function openYield(): TakeYield {
  let size = 0;
  return (line, part) => {
    size += JSON.stringify(part).length;
    if (size <= mostYielded) return;
    const where = line === null ? '' : `Line ${line}: `;
    throw problem(
      'import_unreadable',
      `${where}${where === '' ? 'This' : 'this'} comes to more than ${mostYielded / 2 ** 20} MiB of requests and actions. Import it in parts.`,
    );
  };
}

/**
 * Reads the fields of one entry. Programs write numbers as text and the reverse; both are taken. A field of any other
 * shape counts as missing, and `odd` names it: one field must not cost the whole request.
 */
export class EntryFields {
  readonly odd = new Set<string>();

  text(value: unknown, name: string): string | null {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return this.#missing(value, name);
  }

  /** Takes `200 OK` for 200. */
  number(value: unknown, name: string): number | null {
    const read = typeof value === 'string' ? Number(/^\s*(-?\d+(?:\.\d+)?)\b/.exec(value)?.[1]) : value;
    return typeof read === 'number' && Number.isFinite(read) ? read : this.#missing(value, name);
  }

  /** Unix time in ms. A number below 10¹¹ is in seconds. */
  date(value: unknown, name: string): number | null {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
    const atMs = isNumber ? Number(value) * (Number(value) < 1e11 ? 1000 : 1) : Date.parse(`${value}`);
    return Number.isNaN(atMs) || Math.abs(atMs) > longestMs ? this.#missing(value, name) : atMs;
  }

  record(value: unknown, name: string): Record<string, unknown> | null {
    return isRecord(value) ? value : this.#missing(value, name);
  }

  list(value: unknown, name: string): unknown[] {
    return Array.isArray(value) ? value : (this.#missing(value, name) ?? []);
  }

  /** A list of names and values, or one record of them. The names of HTTP/2 that begin with a colon are its request line. */
  headers(value: unknown, name: string): RecordedHeaders {
    const lines = isRecord(value)
      ? Object.entries(value).map(([called, text]) => ({ name: called, value: text }))
      : this.list(value, name);
    return lines.flatMap((line, index): RecordedHeaders => {
      const header = isRecord(line) ? line : {};
      const at = `${name}[${index}]`;
      const called = this.text(header.name, at);
      const text = this.text(header.value, at);
      if (called === '' || called?.startsWith(':')) return [];
      if (called !== null && text !== null) return [[called, text]];
      this.odd.add(at);
      return [];
    });
  }

  #missing(value: unknown, name: string): null {
    if (value !== undefined && value !== null) this.odd.add(name);
    return null;
  }
}

/** The longest time from 1970 that a date can be. */
const longestMs = 8.64e15;

/** The bytes of a text's UTF-8, one character each: so a header holds what is sent of it. */
export function asBytes(text: string): string {
  if (!/[\x80-\uffff]/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** The text of such bytes. Throws for what is no UTF-8, unless it may be cut off. */
export function fromBytes(bytes: string, fatal = true): string {
  const decoder = new TextDecoder('utf-8', { fatal, ignoreBOM: true });
  return decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

type Header = readonly [name: string, value: string];

/** Whether the load generator writes the header itself. */
export function isOfConnection([name]: Header): boolean {
  return (reservedHeaders as readonly string[]).includes(name.toLowerCase());
}

/** Why a run cannot send the same request, as a sentence; null when it can, even if it leaves the header out. */
export function connectionProblem([name, value]: Header, body: string | null): string | null {
  switch (name.toLowerCase()) {
    case 'content-length':
      return value === String(new TextEncoder().encode(body ?? '').length)
        ? null
        : `The header ${name} is not the length of the body.`;
    case 'connection':
      return isPolicy(value) ? null : `The header ${name} asks for another protocol.`;
    case 'upgrade':
      return `The header ${name} asks for another protocol.`;
    default:
      return null;
  }
}

/** A note on a header whose omission changes the request; null for any other. */
export function connectionNote([name, value]: Header, host: string): string | null {
  switch (name.toLowerCase()) {
    case 'host':
      return value.toLowerCase() === host.toLowerCase()
        ? null
        : `The header ${name} differs from the host in the address. A run takes it from its target: give that name as the address, and if it is not in DNS, add it to /etc/hosts.`;
    case 'connection':
      return /close/i.test(value) ? leftOut(name) : null;
    case 'te':
    case 'trailer':
      return leftOut(name);
    case 'transfer-encoding':
    case 'expect':
      return `The header ${name} is left out, because a run sends each body whole, with its length.`;
    default:
      return null;
  }
}

function leftOut(name: string): string {
  return `The header ${name} is left out, because the connection policy of a run decides it.`;
}

function isPolicy(value: string): boolean {
  return /^(keep-alive|close)$/i.test(value);
}
