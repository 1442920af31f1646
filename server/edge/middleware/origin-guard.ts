import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { problem } from '../../../shared/base/problem.ts';

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
export function isFromElsewhere({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'cross-site' || site === 'same-site';
  return headers.origin !== undefined && !isOwnOrigin(headers);
}

/** What is made for other sites: a result in a frame, and its pictures. */
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
