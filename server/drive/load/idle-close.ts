import type { RequestOutcome } from '../../../shared/base/outcome.ts';

/** Servers close connections that were idle for seconds: Node after 5, nginx after 75. */
const leastIdleMs = 1000;

const ends: readonly RequestOutcome[] = ['connection_closed_early', 'connection_reset'];

/** May be sent again where the first one may have arrived. Source: RFC 9110, 9.2.2, and IANA's list of methods for WebDAV's. */
const idempotent: readonly string[] = [
  ...[
    'GET',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'PUT',
    'DELETE',
    'PROPFIND',
    'PROPPATCH',
    'MKCOL',
    'COPY',
    'MOVE',
    'UNLOCK',
  ],
  ...['REPORT', 'SEARCH'],
];

/**
 * Whether a request without any response met a server that was closing the connection because it had been idle. Browsers send
 * it again on a new one (RFC 9112, 9.3.1).
 */
export function metIdleClose({
  outcome,
  idleMs,
  method,
}: {
  outcome: RequestOutcome;
  idleMs: number;
  method: string | undefined;
}): boolean {
  return ends.includes(outcome) && idleMs >= leastIdleMs && idempotent.includes(method ?? '');
}
