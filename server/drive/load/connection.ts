import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { RequestOutcome } from '../../../shared/base/outcome.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { isAddress } from '../../base/addresses/target-policy.ts';
import type { ClientTls } from './client-tls.ts';
import { wireBytesOf } from './wire-bytes.ts';

/** What a connection tells its virtual user. Bytes are in `Connection.buffer` and gone after the call. */
export type ConnectionOwner = {
  opened(connection: Connection): void;
  received(length: number): void;
  /** Once, whichever side ended it; not after `drop`. */
  ended(outcome: RequestOutcome, detail: string): void;
};

/** Totals that every connection of a lane adds to. */
export type ConnectionTally = {
  connectionsOpened: number;
  handshakesFull: number;
  handshakesResumed: number;
  /** Of connections that are closed by now. */
  wireBytesRead: number;
  wireBytesWritten: number;
};

/**
 * One TCP or TLS connection that reads into a buffer shared by the whole process: a read is handed on
 * and used up before the next one can happen, so connections need no memory of their own.
 */
export class Connection {
  static readonly buffer: Buffer = Buffer.allocUnsafeSlow(65_536);

  /** Bytes on the wire of all connections of this process that are closed by now. */
  static closedBytes = 0;

  isOpen = false;
  /** It was open once, even if it failed later. */
  wasOpen = false;
  /** What opening took: until TCP stood, and from there until TLS did. */
  connectMs = 0;
  tlsMs = 0;

  readonly #socket: Socket | TLSSocket;
  readonly #owner: ConnectionOwner;
  readonly #tally: ConnectionTally;
  readonly #from: string | undefined;
  readonly #begunAtMs = performance.now();
  #over = false;
  #readBefore = 0;
  #writtenBefore = 0;

  /** @param from the address of this machine that it comes from; left out for the system's choice */
  constructor(
    listener: Listener,
    tls: ClientTls | null,
    tally: ConnectionTally,
    owner: ConnectionOwner,
    from?: string,
  ) {
    this.#owner = owner;
    this.#tally = tally;
    this.#from = from;
    this.#socket = tls === null ? this.#openPlain(listener) : this.#openTls(listener, tls);
    this.#socket.on('end', () => this.#finish('connection_closed_early', 'the server closed the connection'));
    this.#socket.on('error', (error: NodeJS.ErrnoException) => this.#finish(...this.#explain(error)));
    this.#socket.on('close', () => this.#finish('connection_closed_early', 'the connection closed'));
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Ends the connection without a word to the owner. */
  drop(): void {
    if (this.#over) return;
    this.#close();
  }

  /** Bytes on the wire so far, both ways, handshake included. */
  get wireBytes(): number {
    const { read, written } = wireBytesOf(this.#socket);
    return Math.max(read, this.#readBefore) + Math.max(written, this.#writtenBefore);
  }

  /** Bytes on the wire since the last call, handshake included. */
  takeWireBytes(): { read: number; written: number } {
    const now = wireBytesOf(this.#socket);
    // A socket that broke has lost its counters with its handle; what it had counted before is not taken back.
    const read = Math.max(0, now.read - this.#readBefore);
    const written = Math.max(0, now.written - this.#writtenBefore);
    this.#readBefore += read;
    this.#writtenBefore += written;
    return { read, written };
  }

  #openPlain(listener: Listener): Socket {
    const socket = connectPlain(this.#socketOptions(listener));
    socket.on('connect', () => {
      if (!this.#connected(socket, listener)) return;
      this.#tally.connectionsOpened++;
      this.#open();
    });
    return socket;
  }

  #openTls(listener: Listener, tls: ClientTls): TLSSocket {
    const session = tls.takeSession();
    const socket = connectTls({
      ...this.#socketOptions(listener),
      ...tls.options,
      ...(session === null ? {} : { session }),
    });
    // Before the handshake begins.
    socket.prependListener('connect', () => this.#connected(socket, listener));
    if (tls.resumes) socket.on('session', (ticket) => tls.keepSession(ticket));
    socket.on('secureConnect', () => {
      this.tlsMs = performance.now() - this.#begunAtMs - this.connectMs;
      const resumed = socket.isSessionReused();
      this.#tally.connectionsOpened++;
      if (resumed) this.#tally.handshakesResumed++;
      else this.#tally.handshakesFull++;
      const change = tls.inspect(socket, resumed, session !== null);
      if (change === null) this.#open();
      else this.#finish('tls_changed', change);
    });
    return socket;
  }

  #socketOptions(listener: Listener) {
    return {
      host: listener.address,
      port: listener.port,
      ...(this.#from === undefined ? {} : { localAddress: this.#from }),
      noDelay: true,
      onread: {
        buffer: Connection.buffer,
        callback: (length: number): boolean => {
          if (!this.#over) this.#owner.received(length);
          return true;
        },
      },
    };
  }

  /** Nothing is sent to another address than the one that was judged. */
  #connected(socket: Socket, { address }: Listener): boolean {
    this.connectMs = performance.now() - this.#begunAtMs;
    const isThere = isAddress(socket.remoteAddress, address);
    if (!isThere) this.#finish('connect_failed', `the connection leads somewhere else than to ${address}`);
    return isThere;
  }

  #open(): void {
    this.isOpen = true;
    this.wasOpen = true;
    this.#owner.opened(this);
  }

  #finish(outcome: RequestOutcome, detail: string): void {
    if (this.#over) return;
    this.#close();
    this.#owner.ended(outcome, detail);
  }

  #close(): void {
    const { read, written } = this.takeWireBytes();
    Connection.closedBytes += this.wireBytes;
    this.#tally.wireBytesRead += read;
    this.#tally.wireBytesWritten += written;
    this.#over = true;
    this.isOpen = false;
    this.#socket.destroy();
  }

  #explain(error: NodeJS.ErrnoException): [RequestOutcome, string] {
    const code = error.code ?? '';
    if (code === 'ECONNREFUSED') return ['connection_refused', 'nothing listens there any more'];
    if (code === 'ECONNRESET' || code === 'EPIPE') {
      return this.isOpen
        ? ['connection_reset', 'the server reset the connection']
        : ['connect_failed', 'the server reset the connection while it was being set up'];
    }
    if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code))
      return ['tls_failed', error.message];
    return this.isOpen ? ['connection_reset', error.message] : ['connect_failed', error.message];
  }
}
