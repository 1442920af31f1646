import { connect, type TLSSocket } from 'node:tls';

/** Who is meant is known by the SHA-256 of the certificate, whatever its name. */
export type PinnedAt = { address: string; port: number; fingerprint: string };

type Told = {
  /** Once at most: it has another key, and is told and read nothing. */
  untrusted(what: string): void;
  /** How a sentence about it goes on, such as `is not listening`. May come again as the connection ends. */
  unreachable(what: string): void;
};

/** Connects by TLS 1.3 to whoever has the certificate. */
export function connectPinned({ address, port, fingerprint }: PinnedAt, told: Told): TLSSocket {
  const socket = connect({
    ...{ host: address, port, minVersion: 'TLSv1.3', servername: '' },
    // Held against its fingerprint instead.
    rejectUnauthorized: false,
  });
  socket.setNoDelay(true);
  socket.once('secureConnect', () => {
    const { fingerprint256 } = socket.getPeerCertificate();
    if (fingerprint256 === fingerprint) return;
    told.untrusted(`has another key: its SHA-256 is ${fingerprint256}`);
    socket.destroy();
  });
  socket.once('error', (error: NodeJS.ErrnoException) => told.unreachable(reasonOf(error)));
  socket.once('close', () => told.unreachable('closed the connection'));
  return socket;
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'is not listening';
  // EPIPE: it had closed it before it was asked once more.
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'closed the connection';
  if (message.startsWith(badStream)) return message.slice(badStream.length);
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'cannot be reached: there is no route to it';
  if (code === 'ETIMEDOUT') return 'cannot be reached: it does not answer';
  return `cannot be reached: ${message}`;
}

const badStream = 'tls-toll: ';

/** For `socket.destroy`, by whoever reads what is not the protocol: how the sentence about the other end goes on. */
export function badStreamError(what: string): Error {
  return new Error(`${badStream}${what}`);
}
