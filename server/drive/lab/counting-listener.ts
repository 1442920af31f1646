import { once } from 'node:events';
import {
  createServer as createHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  createServer as createHttp2,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { WireTap } from '../../base/wire/negotiated-tls.ts';
import type { Counts } from './run-tool.ts';

/**
 * Tells a closed loop, which sends its next request when it has its answer, from an open one, which sends at a rate of its own:
 * answers are held back in every second slot, so long that a closed loop cannot send more than half as many.
 */
class Pace {
  readonly #slotMs: number;
  readonly #arrived: [atOnce: Slot, heldBack: Slot] = [emptySlot(), emptySlot()];
  #delayMs = 0;
  #seen = 0;

  constructor(slotMs = 500) {
    this.#slotMs = slotMs;
  }

  /** Milliseconds by which the answer to a request is held back that arrives at this time. */
  delayAt(nowMs: number, openConnections: number): number {
    const index = Math.floor(nowMs / this.#slotMs);
    const heldBack = index % 2 === 1;
    const into = nowMs - index * this.#slotMs;
    // A request that was under way when the slot began belongs to the slot before.
    const counts = into >= this.#slotMs / 2;
    const slot = this.#arrived[heldBack ? 1 : 0];
    if (counts) {
      slot.requests += 1;
      slot.indexes.add(index);
    }
    if (heldBack && index !== this.#seen) {
      this.#seen = index;
      this.#delayMs = delayFor(openConnections, this.#rate(0), this.#slotMs);
    }
    return heldBack ? this.#delayMs : 0;
  }

  /** Null until each kind of slot was seen twice. */
  get rates(): { atOnce: number; heldBack: number; delayMs: number } | null {
    if (this.#arrived.some(({ indexes }) => indexes.size < 2)) return null;
    return { atOnce: this.#rate(0), heldBack: this.#rate(1), delayMs: this.#delayMs };
  }

  /** Per second. */
  #rate(kind: 0 | 1): number {
    const { requests, indexes } = this.#arrived[kind];
    return indexes.size === 0 ? 0 : requests / ((indexes.size * this.#slotMs) / 2 / 1000);
  }
}

type Slot = { requests: number; indexes: Set<number> };

function emptySlot(): Slot {
  return { requests: 0, indexes: new Set() };
}

const [shortestMs, share] = [20, 0.4];

/** Twice the time in which every connection has one answer. */
function delayFor(openConnections: number, perSecond: number, slotMs: number): number {
  const twice = perSecond === 0 ? 0 : (2000 * openConnections) / perSecond;
  return Math.min(Math.max(shortestMs, twice), share * slotMs);
}

/**
 * The group that a server agreed on, from what it sent in clear: the key share of a ServerHello of TLS 1.3 (RFC 8446, section 4.1.3),
 * or the curve of a ServerKeyExchange of TLS 1.2 (RFC 8422, section 5.4). Null where it says none.
 */
function agreedGroup(sent: Buffer): string | null {
  let group: number | null = null;
  for (const { type, body } of messagesOf(sent)) {
    if (type === serverHello) group = keyShareOf(body) ?? group;
    else if (type === serverKeyExchange && body[0] === namedCurve) group = body.readUInt16BE(1);
  }
  return group === null ? null : (names[group] ?? `group ${group}`);
}

const [serverHello, serverKeyExchange, namedCurve, keyShare, handshake] = [2, 12, 3, 51, 22];

/** IANA's TLS Supported Groups. */
const names: Record<number, string> = {
  ...{ 23: 'P-256', 24: 'P-384', 25: 'P-521', 29: 'X25519', 30: 'X448' },
  ...{ 4587: 'SecP256r1MLKEM768', 4588: 'X25519MLKEM768', 4589: 'SecP384r1MLKEM1024' },
};

type Message = { type: number; body: Buffer };

/** Handshake messages in clear, each whole. */
function messagesOf(sent: Buffer): Message[] {
  const fragments: Buffer[] = [];
  for (let at = 0; at + 5 <= sent.length && sent[at] === handshake; ) {
    const end = at + 5 + sent.readUInt16BE(at + 3);
    fragments.push(sent.subarray(at + 5, end));
    at = end;
  }
  const text = Buffer.concat(fragments);
  const messages: Message[] = [];
  for (let at = 0; at + 4 <= text.length; ) {
    const end = at + 4 + text.readUIntBE(at + 1, 3);
    if (end > text.length) break;
    messages.push({ type: text[at] ?? 0, body: text.subarray(at + 4, end) });
    at = end;
  }
  return messages;
}

/** A HelloRetryRequest has one too: that of the ServerHello after it counts. */
function keyShareOf(body: Buffer): number | null {
  // Version, random, and the session's length come before the session.
  let at = 35 + (body[34] ?? 0) + 3;
  if (at + 2 > body.length) return null;
  at += 2;
  while (at + 4 <= body.length) {
    const [extension, bytes] = [body.readUInt16BE(at), body.readUInt16BE(at + 2)];
    if (extension === keyShare && at + 6 <= body.length) return body.readUInt16BE(at + 4);
    at += 4 + bytes;
  }
  return null;
}

type Options = { secure: boolean; certPem: string; keyPem: string };
type Seen = Omit<Counts, 'ended' | 'seconds' | 'cores'>;
type Failed = Seen['failedHandshakes'][number];
type Listener = { port: number; seen(): Seen; close(): void };

/** Connections whose group is read, as reading what passes costs time. */
const mostTapped = 16;
const body = Buffer.alloc(1000, 'TLS Toll counts. ');

/** Answers every request with 1,000 bytes over HTTP/1.1 or HTTP/2, on loopback, and counts what comes. */
export async function openCountingListener({ secure, certPem, keyPem }: Options): Promise<Listener> {
  const counts = new Connections();
  const inner = secure ? secureServer({ certPem, keyPem }, counts) : plainServer(counts);
  const outer = createServer({ noDelay: true }, (socket) => {
    counts.opened(socket);
    inner(socket);
  });
  outer.listen(0, '127.0.0.1');
  await once(outer, 'listening');
  const { port } = outer.address() as AddressInfo;
  return { port, seen: () => counts.seen(), close: () => outer.close() };
}

type Accept = (socket: Socket) => void;

function secureServer({ certPem, keyPem }: { certPem: string; keyPem: string }, counts: Connections): Accept {
  const server = createSecureServer({
    ...{ cert: certPem, key: keyPem, allowHTTP1: true, ALPNProtocols: ['h2', 'http/1.1'] },
    ...{ minVersion: 'TLSv1.2', ecdhCurve: 'X25519MLKEM768:X25519:P-256:P-384' },
  });
  server.on('secureConnection', (socket) => counts.agreed(socket));
  server.on('tlsClientError', (error) => counts.failed(failureOf(error)));
  server.on('sessionError', () => {});
  server.on('request', (request, response) => counts.answer(request, response));
  keepOpen(server as unknown as Server);
  return (socket) => {
    const accepted = counts.taps.length < mostTapped ? new WireTap(socket) : socket;
    if (accepted instanceof WireTap) counts.taps.push(accepted);
    server.emit('connection', accepted);
  };
}

/** By OpenSSL's names of alerts and errors. */
function failureOf({ code = '' }: Error & { code?: string }): Failed['reason'] {
  if (/ALERT/.test(code) && /CERTIFICATE|UNKNOWN_CA/.test(code)) return 'certificate';
  if (/UNSUPPORTED_PROTOCOL|ALERT_PROTOCOL_VERSION/.test(code)) return 'version';
  if (/NO_SHARED_CIPHER|HANDSHAKE_FAILURE/.test(code)) return 'suite';
  return /HTTP_REQUEST|WRONG_VERSION_NUMBER|PACKET_LENGTH/.test(code) ? 'plain' : 'closed';
}

const preface = 'PRI * HTTP/2.0';

/** The first bytes of a connection say whether it speaks HTTP/2 without TLS (RFC 9113, section 3.4). */
function plainServer(counts: Connections): Accept {
  const [http1, http2] = [createHttp(), createHttp2()];
  for (const server of [http1, http2]) {
    server.on('request', (request: Request, response: Response) => counts.answer(request, response));
    server.on('sessionError', () => {});
    server.on('clientError', (_: Error, socket: Socket) => socket.destroy());
  }
  keepOpen(http1);
  return (socket) => {
    socket.once('data', (chunk: Buffer) => {
      socket.pause();
      socket.unshift(chunk);
      const spoken = chunk.toString('latin1', 0, preface.length) === preface ? http2 : http1;
      spoken.emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  };
}

/** The tool alone says when a connection ends. */
function keepOpen(server: Server): void {
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
}

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

type Connection = { requests: number; asked: boolean };

class Connections {
  /** Records of the first connections with TLS. */
  readonly taps: WireTap[] = [];
  readonly #pace = new Pace();
  /** By their socket, or their session of HTTP/2. */
  readonly #known = new WeakMap<object, Connection>();
  readonly #used: Connection[] = [];
  readonly #agreed = new Map<string, Seen['agreed'][number]>();
  readonly #sum = { connections: 0, openAtOnce: 0, resumed: 0, requests: 0 };
  readonly #more = { http10Requests: 0, http2Requests: 0, askedToClose: 0 };
  readonly #failed = new Map<Failed['reason'], number>();
  #open = 0;

  opened(socket: Socket): void {
    this.#open += 1;
    this.#sum.connections += 1;
    this.#sum.openAtOnce = Math.max(this.#sum.openAtOnce, this.#open);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#open -= 1;
    });
  }

  agreed(socket: TLSSocket): void {
    if (socket.isSessionReused()) this.#sum.resumed += 1;
    const [protocol, suite] = [socket.getProtocol() ?? 'unknown', socket.getCipher().standardName];
    const key = `${protocol} ${suite}`;
    const known = this.#agreed.get(key) ?? { protocol, suite, connections: 0 };
    known.connections += 1;
    this.#agreed.set(key, known);
  }

  failed(reason: Failed['reason']): void {
    this.#failed.set(reason, (this.#failed.get(reason) ?? 0) + 1);
  }

  answer(request: Request, response: Response): void {
    const connection = this.#connectionOf(request);
    connection.requests += 1;
    this.#sum.requests += 1;
    if (request.httpVersionMajor === 2) this.#more.http2Requests += 1;
    else if (request.httpVersion === '1.0') this.#more.http10Requests += 1;
    if (!connection.asked && wantsClose(request)) {
      connection.asked = true;
      this.#more.askedToClose += 1;
    }
    request.resume();
    const delayMs = this.#pace.delayAt(performance.now(), this.#open);
    if (delayMs === 0) send(response);
    else setTimeout(send, delayMs, response);
  }

  #connectionOf(request: Request): Connection {
    const key = ('stream' in request ? request.stream.session : undefined) ?? request.socket;
    const known = this.#known.get(key) ?? { requests: 0, asked: false };
    if (known.requests === 0) {
      this.#known.set(key, known);
      this.#used.push(known);
    }
    return known;
  }

  seen(): Seen {
    const requests = this.#used.map((each) => each.requests).sort((one, other) => one - other);
    const groups = this.taps.map(({ sent }) => agreedGroup(sent)).filter((group) => group !== null);
    return {
      ...{ ...this.#sum, ...this.#more, agreed: [...this.#agreed.values()], pace: this.#pace.rates },
      failedHandshakes: [...this.#failed].map(([reason, connections]) => ({ reason, connections })),
      ...{ groups: [...new Set(groups)], requestsPerConnection: requests[requests.length >> 1] ?? 0 },
    };
  }
}

function wantsClose({ headers: { connection = '' }, httpVersion }: Request): boolean {
  return /close/i.test(connection) || (httpVersion === '1.0' && !/keep-alive/i.test(connection));
}

function send(response: Response): void {
  const headers = { 'Content-Type': 'text/plain', 'Content-Length': body.length };
  if ('stream' in response) response.writeHead(200, headers);
  else response.writeHead(200, headers);
  response.end(body);
}
