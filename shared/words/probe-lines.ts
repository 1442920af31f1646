import { printNumber } from '../base/quantity.ts';
import type { GivenSession, ProbedConnection, VersionReport } from '../target/probe.ts';

/** The pieces of a resumption proof in words: the same on the screen and in a terminal. */

export const versionNames = { 'TLSv1.3': 'TLS 1.3', 'TLSv1.2': 'TLS 1.2' } as const;

type Answered = Extract<VersionReport, { status: 'answered' }>;

/** Negotiated parameters, sessions, and certificates, as pairs of a name and its value. */
export function probeFacts({
  negotiated,
  certificates,
  certificateBytes,
  connections,
}: Answered): [string, string][] {
  const [first] = connections;
  return [
    ['Cipher suite', negotiated.cipher],
    ['Key agreement', negotiated.group ?? 'unknown'],
    ['Server key', negotiated.key ?? 'unknown'],
    ['ALPN', negotiated.alpn ?? 'none'],
    ['HelloRetryRequest', first?.status === 'made' && first.helloRetry ? 'yes, one extra round trip' : 'no'],
    ['Sessions', first?.status === 'made' ? describeSessions(first.sessions) : 'unknown'],
    ['Certificates', `${certificates.length}, ${printNumber(certificateBytes, 0)} bytes in total`],
  ];
}

/** `2 tickets of 240 bytes, for 2 h`. */
function describeSessions(sessions: readonly GivenSession[]): string {
  const [first] = sessions;
  if (first === undefined) return 'none';
  const lifetime = first.lifetimeS === null ? '' : `, for ${describeLifetime(first.lifetimeS)}`;
  if (first.kind === 'session id') return `a session id${lifetime}`;
  const many = sessions.length === 1 ? '1 ticket' : `${sessions.length} tickets`;
  return `${many} of ${printNumber(first.ticketBytes, 0)} bytes${lifetime}`;
}

function describeLifetime(seconds: number): string {
  if (seconds === 0) return 'an unspecified time';
  if (seconds % 3600 === 0) return `${printNumber(seconds / 3600, 0)} h`;
  return seconds % 60 === 0 ? `${printNumber(seconds / 60, 0)} min` : `${printNumber(seconds, 0)} s`;
}

export const connectionColumns = [
  'Connection',
  'Session',
  'TCP, ms',
  'TLS, ms',
  'Bytes sent',
  'Bytes received',
  'Received with tickets',
] as const;

/** One row below `connectionColumns`; a failed connection has its reason instead of figures. */
export function connectionCells(connection: ProbedConnection, index: number): string[] {
  const name = index === 0 ? 'first' : `reconnection ${index}`;
  if (connection.status === 'failed') return [name, `failed: ${connection.reason}`, '', '', '', '', ''];
  const { handshakeBytes, withTicketsBytes, connectMs, handshakeMs } = connection;
  return [
    name,
    describeReuse(connection),
    printNumber(connectMs, 2),
    printNumber(handshakeMs, 2),
    printNumber(handshakeBytes.clientToServer, 0),
    printNumber(handshakeBytes.serverToClient, 0),
    printNumber(withTicketsBytes.serverToClient, 0),
  ];
}

function describeReuse({ offered, reused }: { offered: boolean; reused: boolean }): string {
  if (!offered) return 'new, no session offered';
  return reused ? 'reused' : 'new, session not accepted';
}
