import { connect, type TLSSocket } from 'node:tls';

/** The SHA-256 of its certificate identifies the other end; names in the certificate do not count. */
export type PinnedAt = { address: string; port: number; fingerprint: string };

type Failures = {
  /** The other end has another key. Nothing is sent to it or read from it. Called at most once. */
  untrusted(what: string): void;
  /** @param what the rest of a sentence, such as `is not listening`. Called again when the connection ends. */
  unreachable(what: string): void;
};

/** Connects over TLS 1.3 to the end that has the certificate. */
export function connectPinned({ address, port, fingerprint }: PinnedAt, failures: Failures): TLSSocket {
  const socket = connect({
    ...{ host: address, port, minVersion: 'TLSv1.3', servername: '' },
    // The fingerprint is compared instead.
    rejectUnauthorized: false,
  });
  socket.setNoDelay(true);
  socket.once('secureConnect', () => {
    const { fingerprint256 } = socket.getPeerCertificate();
    if (fingerprint256 === fingerprint) return;
    failures.untrusted(`has another key: its SHA-256 is ${fingerprint256}`);
    socket.destroy();
  });
  socket.once('error', (error: NodeJS.ErrnoException) => failures.unreachable(reasonOf(error)));
  socket.once('close', () => failures.unreachable('closed the connection'));
  return socket;
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'is not listening';
  // EPIPE: it closed the connection before the last write.
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'closed the connection';
  if (message.startsWith(badStream)) return message.slice(badStream.length);
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'cannot be reached: there is no route to it';
  if (code === 'ETIMEDOUT') return 'cannot be reached: it does not answer';
  return `cannot be reached: ${message}`;
}

const badStream = 'tls-toll: ';

/** For `socket.destroy` after input that breaks the protocol. @param what the rest of a sentence about the other end */
export function badStreamError(what: string): Error {
  return new Error(`${badStream}${what}`);
}
