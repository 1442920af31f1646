import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { isLoopback } from '../../../shared/base/loopback.ts';
import { problem } from '../../../shared/base/problem.ts';

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
    const name = nameOf(host);
    return (
      name !== null &&
      (name === own || name === publicHost || isLoopback(name) || (anyAddress && isIP(name) !== 0))
    );
  };
}

/** The name in a Host header, without port and brackets; null when it is none. */
function nameOf(host: string): string | null {
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host)) return null;
  const url = `http://${host}/`;
  return URL.canParse(url) ? canonical(new URL(url).hostname) : null;
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}
