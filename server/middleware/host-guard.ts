import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { problem } from '../../shared/problem.ts';

/**
 * Answers only under a loopback name or address, or the name it was told to listen on. A page that points its own name at
 * this machine (DNS rebinding) carries that name in Host, and is turned away.
 * @param hostname as given to `listen`; a wildcard address allows any literal address, as those cannot be rebound
 */
export function hostGuard(hostname: string): RequestHandler {
  const answersTo = ownHosts(hostname);
  return (request, _response, next) => {
    const host = request.headers.host ?? '';
    if (answersTo(host)) return next();
    next(problem('wrong_host', `This server does not answer to the name "${host.slice(0, 100)}".`));
  };
}

/** Whether a Host header names this server. */
export function ownHosts(hostname: string): (host: string) => boolean {
  const own = canonical(hostname);
  const anyAddress = own === '0.0.0.0' || own === '::';
  return (host) => {
    const name = nameOf(host);
    return name !== null && (name === own || isLoopback(name) || (anyAddress && isIP(name) !== 0));
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

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
