import { connect as connectTls, type TLSSocket } from 'node:tls';
import { getSystemErrorMap } from 'node:util';
import type { RequestOutcome } from '../../../shared/base/outcome.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { isAddress } from '../../base/addresses/target-policy.ts';
import { reasonOf } from '../../base/text/foreign-errors.ts';
import type { ClientTls } from './client-tls.ts';

/** Events that a socket reports to the connection that it serves, never before its constructor has returned. */
type SocketOwner = {
  /** The TCP connection is established. */
  connected(): void;
  /** The bytes are in the socket's buffer, and are valid only during the call. */
  received(length: number): void;
  /** The other end has closed its side. */
  endedByServer(): void;
  /** @param error with the system's code */
  failed(error: NodeJS.ErrnoException): void;
};

/**
 * A TCP socket without Node's streams, events, and writable state: those cost a request on a new connection as much CPU as all
 * of our own code, and several times that while other programs push them out of the caches. It consists of the handles that
 * `node:net` itself is made of. They are not public, so they are used here only, Node's version is pinned, and this
 * file's tests hold what they do. An address is taken as it is and never looked up, so a socket leads where it was told to.
 */
export class PlainSocket {
  readonly #owner: SocketOwner;
  readonly #handle = new TCP(constants.SOCKET);
  #closed = false;

  /**
   * @param to an IP address and a port
   * @param from an IP address of this machine; left out for the system's choice
   * @param buffer that is read into
   */
  constructor(
    to: { address: string; port: number },
    from: string | undefined,
    buffer: Buffer,
    owner: SocketOwner,
  ) {
    this.#owner = owner;
    const handle = this.#handle;
    handle.setNoDelay(true);
    // biome-ignore lint/correctness/useHookAtTopLevel: it is no hook of React
    handle.useUserBuffer(buffer);
    handle.onread = () => this.#read(streamBaseState[kReadBytesOrError] ?? 0);
    const request = new TCPConnectWrap();
    request.oncomplete = (status) => this.#connected(status);
    const isV6 = to.address.includes(':');
    const bound = from === undefined ? 0 : isV6 ? handle.bind6(from, 0, 0) : handle.bind(from, 0, 0);
    const status = bound < 0 ? bound : handle[isV6 ? 'connect6' : 'connect'](request, to.address, to.port);
    if (status < 0) process.nextTick(() => this.#fail(status));
  }

  /** The bytes must stay as they are until they are sent, which for more than the system takes at once is later. */
  write(bytes: Buffer): void {
    if (this.#closed) return;
    const request = freeWrite ?? new WriteWrap();
    freeWrite = request;
    const status = this.#handle.writeBuffer(request, bytes);
    if (status < 0) process.nextTick(() => this.#fail(status));
    else if (streamBaseState[kLastWriteWasAsync] === 1) {
      freeWrite = null;
      request.bytes = bytes;
      request.oncomplete = (later) => {
        if (later < 0) this.#fail(later);
      };
    }
  }

  /** It emits nothing more. */
  destroy(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#handle.close();
  }

  /** Bytes that it has read from the kernel so far, and written to it. */
  get bytesRead(): number {
    return this.#handle.bytesRead;
  }
  get bytesWritten(): number {
    return this.#handle.bytesWritten;
  }

  #connected(status: number): void {
    if (this.#closed) return;
    const reading = status < 0 ? status : this.#handle.readStart();
    if (reading < 0) this.#fail(reading);
    else this.#owner.connected();
  }

  #read(lengthOrStatus: number): void {
    if (this.#closed || lengthOrStatus === 0) return;
    if (lengthOrStatus > 0) this.#owner.received(lengthOrStatus);
    else if (lengthOrStatus === endOfFile) this.#owner.endedByServer();
    else this.#fail(lengthOrStatus);
  }

  #fail(status: number): void {
    if (this.#closed) return;
    const [code, message] = getSystemErrorMap().get(status) ?? [`${status}`, 'unknown'];
    this.#owner.failed(Object.assign(new Error(message), { code }));
  }
}

/** A request for the next write: once a write was done immediately, nothing refers to its request any more. */
let freeWrite: WriteRequest | null = null;

const endOfFile = -4095;

type Request = { oncomplete(status: number): void };
type WriteRequest = Request & { bytes: Buffer };

/** Each call gives a status, negative for an error. */
type Handle = {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** A buffer that it returned would be read into next. */
  onread: () => void;
  setNoDelay(on: boolean): number;
  useUserBuffer(buffer: Buffer): void;
  bind(address: string, port: number, flags: number): number;
  bind6(address: string, port: number, flags: number): number;
  connect(request: Request, address: string, port: number): number;
  connect6(request: Request, address: string, port: number): number;
  readStart(): number;
  writeBuffer(request: WriteRequest, bytes: Buffer): number;
  close(): void;
};

type Binding = (name: 'tcp_wrap' | 'stream_wrap') => {
  TCP: new (type: number) => Handle;
  TCPConnectWrap: new () => Request;
  constants: { SOCKET: number };
  WriteWrap: new () => WriteRequest;
  /** Figures that the latest call or event has left. */
  streamBaseState: Int32Array;
  kReadBytesOrError: number;
  kLastWriteWasAsync: number;
};

const { binding } = process as unknown as { binding: Binding };
const { TCP, TCPConnectWrap, constants } = binding('tcp_wrap');
const { WriteWrap, streamBaseState, kReadBytesOrError, kLastWriteWasAsync } = binding('stream_wrap');

/** Events that a connection reports to its virtual user. Bytes are in `Connection.buffer` and gone after the call. */
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
  /** Bytes of connections that are closed by now. */
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
  /** Times of opening: until TCP was established, and from there until TLS was. */
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
      return ['tls_failed', reasonOf(error)];
    const reason = reasonOf(error);
    return this.isOpen ? ['connection_reset', reason] : ['connect_failed', reason];
  }
}

type Counters = { bytesRead?: number; bytesWritten?: number };

/**
 * Counter of the bytes that a socket has read from and written to the kernel, TLS records and handshake included. Node's own `bytesRead` of
 * a TLS socket counts decrypted bytes, and it offers no public counter of the TCP stream below one that it opened itself: that is
 * `_handle._parent`, a private field, used here only.
 */
function wireOf(socket: PlainSocket | TLSSocket): Counters {
  if (socket instanceof PlainSocket) return socket;
  const handle = (socket as unknown as { _handle: (Counters & { _parent?: Counters }) | null })._handle;
  return handle?._parent ?? handle ?? {};
}
