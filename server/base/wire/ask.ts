import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { HttpVersion, Scheme } from '../../../shared/base/transport.ts';
import { bracketed } from '../addresses/origin.ts';
import { isAddress } from '../addresses/target-policy.ts';
import { ownSocket } from '../process/children.ts';
import { reasonOf } from '../text/foreign-errors.ts';
import { complete, type Failure, type Field, incomplete, KeptBytes, type Reading } from './head-bytes.ts';
import { Http2Conversation } from './http2-conversation.ts';
import { assembleHttp2Request } from './http2-request.ts';
import { notHttp1, ResponseReader, switched } from './response-reader.ts';

/**
 * Our own questions to servers, read by the load generator's readers. Any server may be asked: one that answers 101, drips, floods, or never
 * ends costs no more than the limit.
 */

/** Reason why there is no whole answer. The message follows the server's name in a sentence: `closed the connection before it answered`. */
export class NoAnswer extends Error {
  readonly why: Why;
  readonly received: Received;
  /** Code of the system or of OpenSSL; empty for none. */
  readonly code: string;

  constructor(why: Why, message: string, received: Received = nothingReceived, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoAnswer';
    this.why = why;
    this.received = received;
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  }
}

type Why =
  | 'late'
  | 'unconnected'
  | 'closed'
  | 'reset'
  | 'switched'
  | 'malformed'
  | 'other-protocol'
  | 'broken';

type Received = {
  bytes: number;
  /** Null before the whole head has arrived. */
  headers: Headers | null;
  bodyBytes: number;
  /** First bytes of a response that is malformed. */
  beginning: Buffer;
};

const nothingReceived: Received = { bytes: 0, headers: null, bodyBytes: 0, beginning: Buffer.alloc(0) };

type Held = { destroy(): unknown; late?(limitMs: number): void };

/** Destroys its argument when the time is up. */
export type Hold = <Each extends Held>(each: Each) => Each;

/**
 * Rejects after the limit, and with the signal's reason when it is aborted, whether or not the work ever settles. Everything that
 * the work holds is then destroyed.
 */
export async function withDeadline<Result>(
  limitMs: number,
  signal: AbortSignal | undefined,
  work: (hold: Hold) => Promise<Result>,
): Promise<Result> {
  const held = new Set<Held>();
  let isOver = false;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const end = () => {
    isOver = true;
    for (const each of held) each.destroy();
  };
  const timer = setTimeout(() => {
    for (const each of held) each.late?.(limitMs);
    end();
    // The line rejects first, because it knows how much of the answer has arrived.
    setImmediate(() => reject(new NoAnswer('late', `did not answer within ${limitMs / 1000} s`)));
  }, limitMs);
  const abort = () => {
    reject(signal?.reason);
    end();
  };
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const hold: Hold = (each) => {
      held.add(each);
      if (isOver) each.destroy();
      return each;
    };
    return await Promise.race([isOver ? late : work(hold), late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

type Place = {
  /** An IP address, the only one that is connected to; or a name, which the system resolves. */
  address: string;
  port: number;
  /** Null for plain TCP. */
  tls: ConnectionOptions | null;
};

/** Opens a connection and completes its handshake. Rejects with NoAnswer. */
export function dial(place: Place & { tls: null }, hold: Hold): Promise<Socket>;
export function dial(place: Place & { tls: ConnectionOptions }, hold: Hold): Promise<TLSSocket>;
export function dial(place: Place, hold: Hold): Promise<Socket>;
export function dial({ address, port, tls }: Place, hold: Hold): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const to = { host: address, port };
    const socket = ownSocket(hold(tls === null ? connectTcp(to) : connectTls({ ...to, ...tls })));
    let isOpen = false;
    socket.setNoDelay(true);
    // Nothing is said to another address than the one that was judged.
    socket.prependOnceListener('connect', () => {
      isOpen = true;
      if (isIP(address) === 0 || isAddress(socket.remoteAddress, address)) return;
      socket.destroy();
      reject(new NoAnswer('unconnected', 'leads somewhere else'));
    });
    socket.once(tls === null ? 'connect' : 'secureConnect', () => resolve(socket));
    // Stays for the life of the socket: a reset while it idles must not end the process.
    socket.on('error', (cause) => {
      reject(new NoAnswer(isOpen ? 'broken' : 'unconnected', reasonOf(cause), nothingReceived, cause));
    });
    socket.once('close', () => reject(new NoAnswer('closed', 'closed the connection')));
  });
}

/**
 * Asks on its own connection, within one limit, and closes it. Waits for the body only with `onBody`.
 * @param place.host for the Host field; the address and port when left out
 */
export function askOnce(
  { version = '1.1', host, ...place }: Place & { host?: string; version?: HttpVersion },
  { path, method = 'GET', headers = [], body = null }: Partial<Question> & { path: string },
  { limitMs, signal, onBody }: { limitMs: number; signal?: AbortSignal; onBody?: (chunk: Buffer) => void },
): Promise<Reply> {
  return withDeadline(limitMs, signal, async (hold) => {
    const socket = await dial(place, hold);
    const line = new Line(socket, version, {
      scheme: place.tls === null ? 'http' : 'https',
      host: host ?? `${bracketed(place.address)}:${place.port}`,
    });
    try {
      const taken = onBody === undefined ? { headOnly: true } : { onBody };
      return await line.ask({ method, path, headers, body }, { hold, closing: true, ...taken });
    } finally {
      line.destroy();
    }
  });
}

export type Question = {
  method: string;
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
};

type AskOptions = {
  hold: Hold;
  /** Receives the body as it arrives, without chunk framing. If it throws, the question rejects with that error. */
  onBody?: (chunk: Buffer) => void;
  /** Does not wait for the body. */
  headOnly?: boolean;
  /** Asks the server to close the connection. */
  closing?: boolean;
};

export type Reply = {
  status: number;
  httpVersion: '1.0' | '1.1' | '2.0';
  headers: Headers;
  setCookies: string[];
  bodyBytes: number;
  /** By `performance.now()`. */
  headAtMs: number;
  /** The server keeps the connection open. */
  keepAlive: boolean;
};

/** Repeated fields are joined, except those that can have one value only. Names are in lower case. */
export type Headers = { [name: string]: string | undefined };

/** Most bytes that a server may send besides a body, plus 16 times the body for its framing. More is a flood. */
const mostOverheadBytes = 1024 * 1024;
const mostOverheadTimes = 16;
const beginningBytes = 40;
const http1Start = Buffer.from('HTTP/1.');

/** One connection to a server, on which one thing is asked at a time. */
export class Line {
  readonly #socket: Duplex;
  readonly #origin: { scheme: Scheme; host: string };
  readonly #reader: ResponseReader | Http2Conversation;
  readonly #body = new PassedOn();
  #hello: Buffer | null = null;
  #asked: Asked | null = null;
  #isOpen = true;

  /** @param origin.host value of the Host field */
  constructor(socket: Duplex, version: HttpVersion, origin: { scheme: Scheme; host: string }) {
    this.#socket = socket;
    this.#origin = origin;
    if (version === '2') {
      this.#reader = new Http2Conversation(1, this.#body);
      this.#hello = this.#reader.hello();
    } else this.#reader = new ResponseReader(this.#body);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error) => this.#break(error));
    socket.once('end', () => this.#close());
    socket.once('close', () => this.#close());
  }

  /** Another question may be asked. */
  get isOpen(): boolean {
    return this.#isOpen && this.#asked === null && this.#reader.keepAlive;
  }

  /** Rejects with NoAnswer. */
  ask(question: Question, { hold, onBody = () => {}, headOnly = false, closing = false }: AskOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    this.#asked = { resolve, reject, headOnly, receivedBytes: 0, beginning: [], headAtMs: 0 };
    this.#body.take = onBody;
    hold(this);
    const bytes = this.#begin(question, closing);
    this.#socket.write(this.#hello === null ? bytes : Buffer.concat([this.#hello, bytes]));
    this.#hello = null;
    if (!this.#isOpen) this.#close();
    return promise;
  }

  late(limitMs: number): void {
    const did = this.#reader.headed ? 'finish its answer' : 'answer';
    this.#fail('late', `did not ${did} within ${limitMs / 1000} s`);
  }

  destroy(): void {
    this.#fail('late', 'did not answer in time');
    this.#end();
  }

  #begin(question: Question, closing: boolean): Buffer {
    const { scheme, host } = this.#origin;
    if (this.#reader instanceof Http2Conversation) {
      const request = assembleHttp2Request({ ...question, scheme, authority: host, shared: false });
      return this.#reader.begin(request, true);
    }
    this.#reader.begin(question.method === 'HEAD', null, true, true);
    return assembleRequest(question, host, closing);
  }

  #read(chunk: Buffer): void {
    const asked = this.#asked;
    if (asked !== null && asked.receivedBytes < beginningBytes) asked.beginning.push(chunk);
    if (asked !== null) asked.receivedBytes += chunk.length;
    let reading: Reading;
    try {
      reading = this.#reader.read(chunk, chunk.length);
    } catch (error) {
      this.#asked = null;
      asked?.reject(error);
      this.#end();
      return;
    }
    const replies = this.#reader instanceof Http2Conversation ? this.#reader.takeReplies() : null;
    if (replies !== null && this.#isOpen) this.#socket.write(replies);
    this.#look(reading);
  }

  #look(reading: Reading): void {
    const asked = this.#asked;
    if (asked === null) {
      // Between two questions, an HTTP/2 server may send frames; an HTTP/1.1 server may send nothing.
      if (reading !== incomplete || this.#reader instanceof ResponseReader) this.#end();
      return;
    }
    if (this.#reader.headed || reading === complete) asked.headAtMs ||= performance.now();
    if (reading === complete || (asked.headOnly && reading === incomplete && this.#reader.headed)) {
      this.#answer(asked, reading === complete);
    } else if (reading !== incomplete) this.#refuse(this.#reader.failure);
    else if (this.#isOther(asked)) this.#refuse(notHttp1);
    else if (this.#isFlood(asked)) {
      this.#fail('malformed', 'floods the connection instead of answering');
      this.#end();
    }
  }

  #answer(asked: Asked, isWhole: boolean): void {
    const reader = this.#reader;
    this.#asked = null;
    asked.resolve({
      status: reader.status,
      httpVersion: reader instanceof Http2Conversation ? '2.0' : reader.minor === 0 ? '1.0' : '1.1',
      headers: headersOf(reader.headers),
      setCookies: reader.headers.flatMap(([name, value]) => (name === 'set-cookie' ? value : [])),
      bodyBytes: reader.bodyBytes,
      headAtMs: asked.headAtMs,
      keepAlive: reader.keepAlive,
    });
    if (!isWhole || !reader.keepAlive) this.#end();
  }

  /** The server may never finish its head. */
  #isOther({ beginning }: Asked): boolean {
    if (this.#reader instanceof Http2Conversation || this.#reader.headed) return false;
    const start = Buffer.concat(beginning).subarray(0, http1Start.length);
    return !start.equals(http1Start.subarray(0, start.length));
  }

  #isFlood({ receivedBytes }: Asked): boolean {
    const mostBytes = mostOverheadBytes + mostOverheadTimes * this.#reader.bodyBytes;
    return receivedBytes > mostBytes || this.#socket.writableLength > 16 * mostOverheadBytes;
  }

  #refuse(failure: Failure): void {
    const isOther = this.#reader instanceof Http2Conversation && !this.#reader.greeted;
    if (isOther) this.#fail('other-protocol', 'does not speak HTTP/2');
    else if (failure === switched) {
      this.#fail('switched', 'answered 101 Switching Protocols to an ordinary request');
    } else if (failure.outcome === 'connection_reset') this.#fail('reset', 'reset the stream');
    else if (failure.outcome === 'connection_closed_early' || failure.outcome === 'body_too_short') {
      this.#fail(
        'closed',
        `closed the connection ${this.#reader.headed ? 'in the middle of its answer' : 'before it answered'}`,
      );
    } else this.#fail('malformed', `sent an invalid response: ${failure.detail}`);
    this.#end();
  }

  #break(error: NodeJS.ErrnoException): void {
    const code = error.code ?? '';
    const isEnd = code === 'ECONNRESET' || code === 'EPIPE';
    if (isEnd && this.#reader instanceof Http2Conversation && !this.#reader.greeted) {
      this.#fail('other-protocol', 'does not speak HTTP/2', error);
    } else {
      // Node also reports an orderly end of TLS as a reset, but without a system call.
      const isReset = isEnd && 'syscall' in error;
      this.#fail(isReset ? 'reset' : isEnd ? 'closed' : 'broken', reasonOf(error), error);
    }
    this.#end();
  }

  /** The end of the connection may also be the end of the answer. */
  #close(): void {
    this.#isOpen = false;
    if (this.#asked !== null) this.#look(this.#reader.close());
    this.#end();
  }

  #end(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  #fail(why: Why, message: string, cause?: unknown): void {
    const asked = this.#asked;
    if (asked === null) return;
    this.#asked = null;
    const { headed, headers, bodyBytes } = this.#reader;
    const received = {
      bytes: asked.receivedBytes,
      headers: headed || asked.headAtMs > 0 ? headersOf(headers) : null,
      bodyBytes,
      beginning: Buffer.concat(asked.beginning).subarray(0, beginningBytes),
    };
    asked.reject(new NoAnswer(why, message, received, cause));
  }
}

type Asked = {
  resolve(reply: Reply): void;
  reject(error: unknown): void;
  headOnly: boolean;
  receivedBytes: number;
  beginning: Buffer[];
  headAtMs: number;
};

/** A body that is passed on instead of kept. */
class PassedOn extends KeptBytes {
  take: (chunk: Buffer) => void = () => {};

  override clear(): void {}

  override append(source: Buffer, from: number, to: number): void {
    if (to > from) this.take(source.subarray(from, to));
  }
}

/** @param closing whether it asks the server to close the connection */
export function assembleRequest(
  { method, path, headers, body }: Question,
  host: string,
  closing: boolean,
): Buffer {
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  if (body !== null) head += `Content-Length: ${body.length}\r\n`;
  head += closing ? 'Connection: close\r\n\r\n' : '\r\n';
  const headBytes = Buffer.from(head, 'latin1');
  return body === null ? headBytes : Buffer.concat([headBytes, body]);
}

/** Fields of which only the first counts. */
const single = new Set([
  'content-length',
  'content-type',
  'date',
  'etag',
  'last-modified',
  'location',
  'server',
]);

function headersOf(fields: readonly Field[]): Headers {
  const headers: Headers = Object.create(null);
  for (const [name, value] of fields) {
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (!single.has(name)) headers[name] = `${before}, ${value}`;
  }
  return headers;
}
