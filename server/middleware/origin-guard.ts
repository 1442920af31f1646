import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { problem } from '../../shared/problem.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whatever changes something comes from the dashboard itself, or says by Origin that it means this server. */
export const originGuard: RequestHandler = (request, _response, next) => {
  if (safeMethods.has(request.method) || isSameOrigin(request)) return next();
  const origin = request.headers.origin;
  next(
    problem(
      'cross_origin',
      origin === undefined
        ? 'The request does not say where it comes from.'
        : `The request comes from ${origin.slice(0, 200)}.`,
    ),
  );
};

/** Browsers send Sec-Fetch-Site to loopback always; elsewhere, without TLS, there is Origin only. */
function isSameOrigin({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return isOwnOrigin(headers);
}

/** Whether Origin is there and means the server that Host means. */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  return ['http:', 'https:'].includes(protocol) && originHost === host.toLowerCase();
}
