import { isHeaderValue } from './encodings.ts';

/**
 * The cookies of one virtual user for the one host that it visits, by RFC 6265 as far as one host goes: value, Path,
 * Expires, Max-Age, Secure, and Domain where it excludes the host. A library for all hosts (tough-cookie) answers with
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
    const cookie = this.#parse(setCookie, path);
    if (cookie === null) return;
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

  /** Section 5.2; null for a cookie that this user would never send. */
  #parse(setCookie: string, requestPath: string): Cookie | null {
    const [pair = '', ...attributes] = setCookie.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    const value = pair.slice(equals + 1).trim();
    if (name === '' || name.length + value.length > longestPair || !isHeaderValue(pair)) return null;
    const cookie = { name, value, path: defaultPath(requestPath), expiresAtMs: Number.POSITIVE_INFINITY };
    let maxAgeS: number | null = null;
    for (const attribute of attributes) {
      const [key = '', ...rest] = attribute.split('=');
      const given = rest.join('=').trim();
      switch (key.trim().toLowerCase()) {
        case 'secure':
          if (!this.#origin.secure) return null;
          break;
        case 'domain':
          if (!isWithin(this.#origin.hostname, given)) return null;
          break;
        case 'path':
          cookie.path = given.startsWith('/') ? given : defaultPath(requestPath);
          break;
        case 'max-age':
          if (/^-?\d+$/.test(given)) maxAgeS = Number(given);
          break;
        case 'expires':
          cookie.expiresAtMs = parseDate(given) ?? cookie.expiresAtMs;
          break;
      }
    }
    if (maxAgeS !== null) cookie.expiresAtMs = maxAgeS <= 0 ? 0 : this.#origin.now() + maxAgeS * 1000;
    return cookie;
  }
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
