import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, type Options, rateLimit, type Store } from 'express-rate-limit';
import { isLoopback } from '../../../shared/base/addresses.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { actorOf } from './actor.ts';

/**
 * At most so many requests a minute from one user, or one address where nobody is signed in. Those that pages of other sites lead to are counted apart: a page
 * that sends a tab here again and again uses up its own share, not the user's.
 */
export function limitRate(requestsPerMinute: number): RequestHandler {
  const detail = `More than ${requestsPerMinute} requests came from you or this address within a minute.`;
  return limiter('too_many_requests', detail, {
    windowMs: 60_000,
    limit: requestsPerMinute,
    keyGenerator: (request, response) =>
      `${actorOf(response)?.id ?? ipKeyGenerator(request.ip ?? '')} ${isFromElsewhere(request)}`,
  });
}

/** Refuses more than `limit` in `windowMs` from whoever has the same key, and says when to come again. */
function limiter(
  code: ProblemCode,
  detail: string,
  options: Partial<Options> & Pick<Options, 'windowMs'>,
): RequestHandler {
  return rateLimit({
    ...options,
    store: countMonotonically(options.windowMs),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler(_request, response, next) {
      const retryAfterS = Math.max(1, Number(response.get('Retry-After') ?? options.windowMs / 1000));
      next(problem(code, { detail, retryAfterS }));
    },
  });
}

/** The library's own store counts on the clock on the wall: set back by an hour, it locks an address out for an hour. */
function countMonotonically(windowMs: number): Store {
  const counted = new Map<string, { hits: number; untilMs: number }>();
  let sweptMs = performance.now();

  function countOf(key: string): { hits: number; untilMs: number } {
    const nowMs = performance.now();
    if (nowMs - sweptMs >= windowMs) {
      for (const [each, { untilMs }] of counted) if (untilMs <= nowMs) counted.delete(each);
      sweptMs = nowMs;
    }
    const known = counted.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known;
    const fresh = { hits: 0, untilMs: nowMs + windowMs };
    counted.set(key, fresh);
    return fresh;
  }

  return {
    localKeys: true,
    increment(key) {
      const count = countOf(key);
      count.hits += 1;
      const leftMs = count.untilMs - performance.now();
      return { totalHits: count.hits, resetTime: new Date(Date.now() + leftMs) };
    },
    decrement(key) {
      const count = countOf(key);
      count.hits = Math.max(0, count.hits - 1);
    },
    resetKey: (key) => void counted.delete(key),
  };
}

/**
 * Failed sign-ins in a quarter of an hour: few for one account from one address, so that nobody guesses; more for an address
 * and for an account as a whole, so that many of either do not help, and that nobody is locked out by a stranger at once.
 */
const limits: { most: number; by: (keyof typeof parts)[] }[] = [
  { most: 10, by: ['address', 'account'] },
  { most: 50, by: ['address'] },
  { most: 100, by: ['account'] },
];

type AccountOf = (request: Request, response: Response) => string;

const parts = {
  address: ({ ip = '' }: Request) => ipKeyGenerator(ip),
  account: (request: Request, response: Response, accountOf: AccountOf) => accountOf(request, response),
};

export function limitSignIns(accountOf: AccountOf = accountInBody): RequestHandler[] {
  return limits.map(({ most, by }) => {
    const detail = `There were ${most} failed sign-ins for this account or from this address in a quarter of an hour.`;
    return limiter('too_many_attempts', detail, {
      windowMs: 15 * 60_000,
      limit: most,
      // Counted before the password is judged, so that many at once are no way around.
      skipSuccessfulRequests: true,
      requestWasSuccessful: (_request, { statusCode }) => statusCode !== 401,
      keyGenerator: (request, response) =>
        JSON.stringify(by.map((part) => parts[part](request, response, accountOf))),
    });
  });
}

function accountInBody({ body }: Request): string {
  const email: unknown = body?.email;
  return typeof email === 'string' ? email.trim().toLowerCase().slice(0, 254) : '';
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whatever changes something comes from the dashboard itself, or says by Origin that it means this server. Pages of other
 * sites may lead here and show a result that they have the link of, and nothing else: they cannot read what they fetch, but
 * could use up the rate limit of this machine.
 */
export const originGuard: RequestHandler = (request, _response, next) => {
  const permitted = safeMethods.has(request.method)
    ? !isFromElsewhere(request) || opensPage(request) || showsResult(request)
    : isSameOrigin(request);
  if (permitted) return next();
  next(problem('cross_origin', describeOrigin(request)));
};

function describeOrigin(request: Request): string {
  const { origin } = request.headers;
  if (origin !== undefined) return `The request comes from ${origin.slice(0, 200)}.`;
  return isFromElsewhere(request)
    ? 'The request comes from a page of another site.'
    : 'The request has no Origin header.';
}

/** Browsers send Sec-Fetch-Site to loopback always; elsewhere, without TLS, there is Origin only. A program with a key has neither: no page can send one. */
function isSameOrigin({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined && headers.authorization?.startsWith('Bearer ')) return true;
  return isOwnOrigin(headers);
}

/** Whether a page of another origin had it sent. What is not a browser says neither. */
function isFromElsewhere({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'cross-site' || site === 'same-site';
  return headers.origin !== undefined && !isOwnOrigin(headers);
}

/** Whether the request is for something made for other sites: a result in a frame, or its pictures. */
function showsResult({ path, headers }: Request): boolean {
  const [, name] = /^\/[rl]\/[0-9A-Za-z]{22}\/(embed|og\.png|badge\.svg)$/.exec(path) ?? [];
  if (name === undefined) return false;
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  return name === 'embed'
    ? mode === 'navigate' && destination === 'iframe'
    : mode === 'no-cors' && destination === 'image';
}

/** A link that was followed, in a tab. */
function opensPage({ headers }: Request): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && (headers['sec-fetch-dest'] ?? 'document') === 'document';
}

/** Whether Origin is there and means the server that Host means. */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  return ['http:', 'https:'].includes(protocol) && originHost === host.toLowerCase();
}

/**
 * Answers only under a loopback name or address, or the name it was told to listen on. A page that points its own name at
 * this machine (DNS rebinding) carries that name in Host, and is turned away.
 * @param hostname as given to `listen`; a wildcard address allows any literal address, as those cannot be rebound
 * @param publicHost the name that people know it by, in lower case
 */
export function hostGuard(hostname: string, publicHost: string | null): RequestHandler {
  const answersTo = ownHosts(hostname, publicHost);
  return (request, _response, next) => {
    const host = request.headers.host ?? '';
    if (answersTo(host)) return next();
    next(problem('wrong_host', `This server does not answer to the name "${host.slice(0, 100)}".`));
  };
}

/** Whether a Host header names this server. */
export function ownHosts(hostname: string, publicHost: string | null): (host: string) => boolean {
  const own = canonical(hostname);
  const anyAddress = own === '0.0.0.0' || own === '::';
  return (host) => {
    const name = parseHostName(host);
    return (
      name !== null &&
      (name === own || name === publicHost || isLoopback(name) || (anyAddress && isIP(name) !== 0))
    );
  };
}

/** The name in a Host header, without port and brackets; null when it is none. */
function parseHostName(host: string): string | null {
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host)) return null;
  const url = `http://${host}/`;
  return URL.canParse(url) ? canonical(new URL(url).hostname) : null;
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}
