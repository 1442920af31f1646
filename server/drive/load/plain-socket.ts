import { getSystemErrorMap } from 'node:util';

/** What a socket tells the connection that it serves, never before its constructor has returned. */
export type SocketOwner = {
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

/** Of a write that was done at once, nothing refers to its request any more. */
let freeWrite: WriteRequest | null = null;

const endOfFile = -4095;

type Request = { oncomplete(status: number): void };
type WriteRequest = Request & { bytes: Buffer };

/** Each call gives a status, negative for an error. */
type Handle = {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** What it returns would be read into next. */
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
  /** What the latest call or event has left. */
  streamBaseState: Int32Array;
  kReadBytesOrError: number;
  kLastWriteWasAsync: number;
};

const { binding } = process as unknown as { binding: Binding };
const { TCP, TCPConnectWrap, constants } = binding('tcp_wrap');
const { WriteWrap, streamBaseState, kReadBytesOrError, kLastWriteWasAsync } = binding('stream_wrap');
