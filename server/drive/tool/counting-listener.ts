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
import { WireTap } from '../../base/wire/wire-tap.ts';
import { agreedGroup } from './agreed-group.ts';
import type { Counts } from './messages.ts';
import { Pace } from './pace.ts';

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
  /** Of the first connections with TLS. */
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
