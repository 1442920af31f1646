import { connect, type TLSSocket } from 'node:tls';
import { ownSocket } from '../process/children.ts';
import { reasonOf } from '../text/foreign-errors.ts';

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
  const socket = ownSocket(
    connect({
      ...{ host: address, port, minVersion: 'TLSv1.3', servername: '' },
      // The fingerprint is compared instead.
      rejectUnauthorized: false,
    }),
  );
  socket.setNoDelay(true);
  socket.once('secureConnect', () => {
    const { fingerprint256 } = socket.getPeerCertificate();
    if (fingerprint256 === fingerprint) return;
    failures.untrusted(`has another key: its SHA-256 is ${fingerprint256}`);
    socket.destroy();
  });
  socket.once('error', (error) =>
    failures.unreachable(error instanceof BadStream ? error.message : reasonOf(error)),
  );
  socket.once('close', () => failures.unreachable('closed the connection'));
  return socket;
}

class BadStream extends Error {}

/** For `socket.destroy` after input that breaks the protocol. @param what the rest of a sentence about the other end */
export function badStreamError(what: string): Error {
  return new BadStream(what);
}
