import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { RequestOutcome } from '../../../shared/base/outcome.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { isAddress } from '../../base/addresses/target-policy.ts';
import type { ClientTls } from './client-tls.ts';
import { PlainSocket, type SocketOwner } from './plain-socket.ts';

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
  /** Further handshakes on connections that stood already, which the server asked for. */
  renegotiations: number;
  /** Of connections that are closed by now. */
  wireBytesRead: number;
  wireBytesWritten: number;
};

/**
 * One TCP or TLS connection that reads into a buffer shared by the whole process: a read is handed on
 * and used up before the next one can happen, so connections need no memory of their own.
 */
export class Connection implements SocketOwner {
  static readonly buffer: Buffer = Buffer.allocUnsafeSlow(65_536);

  /** Bytes on the wire of all connections of this process that are closed by now. */
  static closedBytes = 0;

  isOpen = false;
  /** It was open once, even if it failed later. */
  wasOpen = false;
  /** What opening took: until TCP stood, and from there until TLS did. */
  connectMs = 0;
  tlsMs = 0;

  readonly #socket: PlainSocket | TLSSocket;
  readonly #owner: ConnectionOwner;
  readonly #tally: ConnectionTally;
  readonly #tls: ClientTls | null;
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
    this.#tls = tls;
    this.#socket =
      tls === null
        ? new PlainSocket(listener, from, Connection.buffer, this)
        : this.#openTls(listener, tls, from);
  }

  connected(): void {
    this.connectMs = performance.now() - this.#begunAtMs;
    this.#tally.connectionsOpened++;
    this.#open();
  }

  received(length: number): void {
    if (!this.#over) this.#owner.received(length);
  }

  endedByServer(): void {
    this.#finish('connection_closed_early', 'the server closed the connection');
  }

  failed(error: NodeJS.ErrnoException): void {
    this.#finish(...this.#explain(error));
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
    const { bytesRead = 0, bytesWritten = 0 } = wireOf(this.#socket);
    return Math.max(bytesRead, this.#readBefore) + Math.max(bytesWritten, this.#writtenBefore);
  }

  /** Bytes on the wire since the last call, handshake included. */
  takeWireBytes(): { read: number; written: number } {
    const { bytesRead = 0, bytesWritten = 0 } = wireOf(this.#socket);
    // A socket that broke has lost its counters with its handle; what it had counted before is not taken back.
    const read = Math.max(0, bytesRead - this.#readBefore);
    const written = Math.max(0, bytesWritten - this.#writtenBefore);
    this.#readBefore += read;
    this.#writtenBefore += written;
    return { read, written };
  }

  #openTls(listener: Listener, tls: ClientTls, from: string | undefined): TLSSocket {
    const session = tls.takeSession();
    const onread = {
      buffer: Connection.buffer,
      callback: (length: number): boolean => {
        this.received(length);
        return true;
      },
    };
    const { address: host, port } = listener;
    const socketOptions = { host, port, localAddress: from, noDelay: true, onread };
    const socket = connectTls({
      ...socketOptions,
      ...tls.options,
      ...(session === null ? {} : { session }),
    });
    socket.on('end', () => this.endedByServer());
    socket.on('error', (error) => this.failed(error));
    socket.on('close', () => this.#finish('connection_closed_early', 'the connection closed'));
    // Before the handshake begins.
    socket.prependListener('connect', () => {
      this.connectMs = performance.now() - this.#begunAtMs;
      this.#demandAddress(socket, listener);
    });
    if (tls.resumes) socket.on('session', (ticket) => tls.keepSession(ticket));
    socket.on('secureConnect', () => this.#agreed(socket, tls, session !== null));
    return socket;
  }

  /** Node says it again after each renegotiation (TLS 1.2), which opens nothing: what is under way on the connection goes on. */
  #agreed(socket: TLSSocket, tls: ClientTls, offered: boolean): void {
    if (this.#over) return;
    const isFirst = !this.isOpen;
    const resumed = socket.isSessionReused();
    if (isFirst) {
      this.tlsMs = performance.now() - this.#begunAtMs - this.connectMs;
      this.#tally.connectionsOpened++;
    }
    if (!isFirst) this.#tally.renegotiations++;
    else if (resumed) this.#tally.handshakesResumed++;
    else this.#tally.handshakesFull++;
    const change = tls.inspect(socket, resumed, isFirst && offered);
    if (change !== null) this.#finish('tls_changed', change);
    else if (isFirst) this.#open();
  }

  /** Nothing is sent to another address than the one that was judged. */
  #demandAddress(socket: TLSSocket, { address }: Listener): void {
    if (isAddress(socket.remoteAddress, address)) return;
    this.#finish('connect_failed', `the connection leads somewhere else than to ${address}`);
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
    if (this.#tls?.negotiated != null && /^(ERR_TLS_CERT|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(code))
      return ['tls_changed', 'the server shows another certificate, which is not trusted'];
    if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code))
      return ['tls_failed', error.message];
    return this.isOpen ? ['connection_reset', error.message] : ['connect_failed', error.message];
  }
}

type Counters = { bytesRead?: number; bytesWritten?: number };

/**
 * What counts the bytes that a socket has read from and written to the kernel, TLS records and handshake included. Node's own
 * `bytesRead` of a TLS socket counts decrypted bytes, and it offers no public counter of the TCP stream below
 * one that it opened itself: that is `_handle._parent`, a private field, used here only.
 */
function wireOf(socket: PlainSocket | TLSSocket): Counters {
  if (socket instanceof PlainSocket) return socket;
  const handle = (socket as unknown as { _handle: (Counters & { _parent?: Counters }) | null })._handle;
  return handle?._parent ?? handle ?? {};
}
