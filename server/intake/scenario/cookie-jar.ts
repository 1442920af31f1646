import { parseExactly } from './pattern.ts';
import { isHeaderValue } from './template.ts';

/**
 * The cookies of one virtual user for the one host that it visits, by RFC 6265 as far as one host goes: value, Path,
 * Expires, Max-Age, Secure, Domain where it excludes the host, and the prefixes of RFC 6265bis. A library for all hosts (tough-cookie) answers with
 * a promise and looks public suffixes up for each cookie; neither is wanted between two requests that are timed.
 */
export class CookieJar {
  readonly #origin: CookieOrigin;
  #cookies: Cookie[] = [];

  constructor(origin: CookieOrigin) {
    this.#origin = origin;
  }

  clear(): void {
    if (this.#cookies.length > 0) this.#cookies = [];
  }

  /** @param path of the request that was answered, its query included */
  store(setCookie: string, path: string): void {
    const cookie = parseCookie(setCookie, path, this.#origin);
    if (cookie === null || 'refused' in cookie) return;
    const at = this.#cookies.findIndex(({ name, path }) => name === cookie.name && path === cookie.path);
    const expired = cookie.expiresAtMs <= this.#origin.now();
    if (at >= 0) this.#cookies.splice(at, 1, ...(expired ? [] : [cookie]));
    else if (!expired && this.#cookies.length < mostCookies) this.#cookies.push(cookie);
  }

  /** The value of the Cookie header, longer paths first; null for none. */
  headerFor(path: string): string | null {
    if (this.#cookies.length === 0) return null;
    const now = this.#origin.now();
    const plain = withoutQuery(path);
    const sent = this.#cookies.filter((cookie) => cookie.expiresAtMs > now && isBelow(plain, cookie.path));
    if (sent.length === 0) return null;
    sent.sort((a, b) => b.path.length - a.path.length);
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }
}

/** A cookie that a jar does not keep, and why, as the rest of a sentence. */
export type DroppedCookie = { name: string; reason: string };

/** Null for a cookie that is kept, and for one that deletes itself, as servers end a session. */
export function droppedCookie(setCookie: string, path: string, origin: CookieOrigin): DroppedCookie | null {
  const cookie = parseCookie(setCookie, path, origin);
  if (cookie === null) return null;
  if ('refused' in cookie) return { name: cookie.name, reason: cookie.refused };
  const isPast =
    cookie.expiresAtMs <= origin.now() && cookie.value !== '' && !/^(deleted|removed)$/i.test(cookie.value);
  // Max-Age=0 and the year 1970 mean the deletion of a cookie.
  return isPast && cookie.expiresAtMs > oneYearMs
    ? { name: cookie.name, reason: 'it has expired by the clock of this machine' }
    : null;
}

const oneYearMs = 365 * 24 * 3600 * 1000;

/** Section 5.2; null for what is no cookie. */
function parseCookie(
  setCookie: string,
  requestPath: string,
  origin: CookieOrigin,
): Cookie | { name: string; refused: string } | null {
  const [pair = '', ...attributes] = setCookie.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, equals)).trim();
  const value = pair.slice(equals + 1).trim();
  if (name === '' || !isHeaderValue(pair)) return null;
  if (name.length + value.length > longestPair) return { name, refused: 'it is longer than 4,096 bytes' };
  const given = new Map(
    attributes.map((attribute) => {
      const [key = '', ...rest] = attribute.split('=');
      return [key.trim().toLowerCase(), rest.join('=').trim()];
    }),
  );
  const refused = whyRefused(name, given, origin);
  if (refused !== null) return { name, refused };
  const path = given.get('path') ?? '';
  const maxAge = given.get('max-age') ?? '';
  const maxAgeS = /^-?\d+$/.test(maxAge) ? Number(maxAge) : null;
  const expiresAtMs =
    maxAgeS === null
      ? (parseDate(given.get('expires') ?? '') ?? Number.POSITIVE_INFINITY)
      : maxAgeS <= 0
        ? 0
        : origin.now() + maxAgeS * 1000;
  return { name, value, path: path.startsWith('/') ? path : defaultPath(requestPath), expiresAtMs };
}

function whyRefused(name: string, given: ReadonlyMap<string, string>, origin: CookieOrigin): string | null {
  const domain = given.get('domain') ?? '';
  if (given.has('secure') && !origin.secure) return 'it is Secure, and this side has no TLS';
  if (!isWithin(origin.hostname, domain))
    return `its Domain is ${domain.slice(0, 100)}, and the host of this side is ${origin.hostname}`;
  if (/^__(?:Secure|Host)-/i.test(name) && !given.has('secure')) return 'its name demands Secure';
  if (/^__Host-/i.test(name) && (domain !== '' || given.get('path') !== '/'))
    return 'its name demands Path=/ and no Domain';
  return null;
}

export type CookieOrigin = {
  hostname: string;
  /** Whether connections are encrypted: without that, a Secure cookie is not sent. */
  secure: boolean;
  /** Unix time in ms. */
  now: () => number;
};

type Cookie = { name: string; value: string; path: string; expiresAtMs: number };

const mostCookies = 180;
const longestPair = 4096;

function withoutQuery(path: string): string {
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}

/** Section 5.1.4: the path up to its last slash. */
function defaultPath(requestPath: string): string {
  const path = withoutQuery(requestPath);
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

function isBelow(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) return false;
  return path.length === cookiePath.length || cookiePath.endsWith('/') || path[cookiePath.length] === '/';
}

/** Section 5.1.3. An empty Domain says nothing; an address is no part of another. */
function isWithin(hostname: string, domain: string): boolean {
  const host = hostname.toLowerCase();
  const wanted = domain.toLowerCase().replace(/^\./, '');
  if (wanted === '' || host === wanted) return true;
  const isAddress = /^[\d.]+$|:/.test(host);
  return !isAddress && host.endsWith(`.${wanted}`);
}

/** A date names its month; what the engine would make of a bare number is not meant. */
function parseDate(text: string): number | null {
  if (!/[a-z]{3}/i.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs;
}

/** Parts of a response that a script reads. The body is free of transfer and content codings. */
export type ScriptResponse = {
  /** The first header of this name, without regard to case. */
  header(name: string): string | undefined;
  readonly setCookies: readonly string[];
  readonly body: Buffer;
};

/** Patterns and inputs are looked for in so much of a body; JSON is read as a whole. */
const mostTextBytes = 1024 * 1024;

/** A response with its body as text and as JSON, made when first asked for. Text is taken for UTF-8. */
export class ResponseView {
  readonly #response: ScriptResponse;
  #text: string | null = null;
  #json: { value: unknown } | null = null;

  constructor(response: ScriptResponse) {
    this.#response = response;
  }

  get body(): Buffer {
    return this.#response.body;
  }

  get text(): string {
    this.#text ??= this.body.toString('utf8', 0, mostTextBytes);
    return this.#text;
  }

  /** Undefined when the body is not JSON. */
  get json(): unknown {
    this.#json ??= { value: parseJson(this.body.toString('utf8')) };
    return this.#json.value;
  }

  header(name: string): string | undefined {
    return this.#response.header(name);
  }
}

function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
