/** Protects the HTTP/2 reader: what Node’s client reads from Node’s server, ours reads alike. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Authority, openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { complete, incomplete, malformed } from './head-bytes.ts';
import { Http2Conversation } from './http2-conversation.ts';
import { assembleHttp2Request } from './http2-request.ts';

type Planned = {
  status: number;
  headers: [string, string][];
  pieces: number[];
  named: boolean;
  trailers: boolean;
  hints: number;
};

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-http2-'));
let authority: Authority;
let servers: { plain: Http2Server; secure: Http2Server };
let planned: Planned = { status: 200, headers: [], pieces: [], named: false, trailers: false, hints: 0 };

beforeAll(async () => {
  authority = await openAuthority(directory);
  const { keyPem: key, certPem: cert } = authority;
  servers = { plain: createServer(), secure: createSecureServer({ key, cert }) };
  for (const server of Object.values(servers)) {
    server.on('stream', answer);
    server.on('sessionError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
});
afterAll(() => {
  for (const server of Object.values(servers)) server.close();
  rmSync(directory, { recursive: true });
});

function answer(stream: ServerHttp2Stream, head: IncomingHttpHeaders): void {
  stream.on('error', () => {});
  let received = 0;
  stream.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  stream.on('end', () => send(stream, head[':method'] === 'HEAD', received));
}

function send(stream: ServerHttp2Stream, isHead: boolean, received: number): void {
  const { status, headers, pieces, named, trailers, hints } = planned;
  const bodyless = isHead || status === 204 || status === 304;
  const total = pieces.reduce((sum, size) => sum + size, 0);
  for (let hint = 0; hint < hints; hint++) stream.additionalHeaders({ ':status': 103, link: '</a.css>' });
  const fields: Record<string, string | number | string[]> = { ':status': status, 'x-received': received };
  for (const [name, value] of headers) fields[name] = value;
  if (named && !bodyless) fields['content-length'] = total;
  stream.respond(fields, { endStream: bodyless, waitForTrailers: trailers && !bodyless });
  if (bodyless) return;
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-trailer': 'yes' }));
  let rest = pieces;
  const writeNext = () => {
    const [size, ...others] = rest;
    rest = others;
    if (size === undefined) stream.end();
    else stream.write(Buffer.alloc(size, 'b'), () => setImmediate(writeNext));
  };
  writeNext();
}

type Seen = { status: number; body: string; headers: Record<string, string> };

function portOf(server: Http2Server): number {
  return (server.address() as AddressInfo).port;
}

async function readByNode(session: ClientHttp2Session, method: string, body: Buffer | null): Promise<Seen> {
  const stream = session.request({ ':method': method, ':path': '/' }, { endStream: body === null });
  if (body !== null) stream.end(body);
  const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const headers = Object.entries(head)
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]) => [name, String(value)]);
  return {
    status: head[':status'],
    body: Buffer.concat(chunks).toString(),
    headers: Object.fromEntries(headers),
  };
}

/** One connection of ours, asking for one thing after another; `cut` is how many bytes a read gives at most. */
class Asker {
  readonly conversation = new Http2Conversation();
  readonly socket: Socket;
  cut = 65_536;
  #settle: ((seen: Seen) => void) | null = null;
  #fail: ((error: Error) => void) | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.write(this.conversation.hello());
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('close', () => this.#fail?.(new Error('the connection closed')));
  }

  ask(method: string, body: Buffer | null): Promise<Seen> {
    const request = assembleHttp2Request({
      method,
      path: '/',
      scheme: 'http',
      authority: 'localhost',
      headers: [['accept', '*/*']],
      body,
      shared: false,
    });
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
      this.socket.write(this.conversation.begin(request, true));
    });
  }

  #read(bytes: Buffer): void {
    const { conversation } = this;
    for (let at = 0; at < bytes.length; at += this.cut) {
      const piece = bytes.subarray(at, at + this.cut);
      const reading = conversation.read(piece, piece.length);
      const replies = conversation.takeReplies();
      if (replies !== null) this.socket.write(replies);
      if (reading === malformed) this.#fail?.(new Error(conversation.failure.detail));
      if (reading !== complete) continue;
      const body = conversation.keptBody.bytes.toString();
      expect(body.length).toBe(conversation.bodyBytes);
      this.#settle?.({
        status: conversation.status,
        body,
        headers: Object.fromEntries(conversation.headers),
      });
    }
  }
}

const headerName = fc.constantFrom('x-plain', 'server-timing', 'etag', 'x-long-name-in-huffman-code', 'vary');
/** Odd characters are shorter in plain text than in Huffman code, so both occur. */
const headerValue = fc.oneof(
  fc.stringMatching(/^[a-z][a-z0-9;=., -]{0,60}[a-z]$/),
  fc.string({ unit: fc.constantFrom('|', '^', '~', '\xe9', '\xff', 'a'), minLength: 1, maxLength: 40 }),
  fc.constant('v'.repeat(20_000)),
);

const responsePlan: fc.Arbitrary<Planned> = fc.record({
  status: fc.constantFrom(200, 200, 201, 204, 206, 302, 304, 400, 404, 500, 503),
  // Four of the longest are more than Node's server sends: it would end the session.
  headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 3 }),
  pieces: fc.array(
    fc.oneof(fc.nat(100), fc.nat(20_000), fc.constantFrom(0, 1, 16_384, 16_385, 200_000, 1_000_000)),
    { maxLength: 4 },
  ),
  named: fc.boolean(),
  trailers: fc.boolean(),
  hints: fc.nat(2),
});
const asked = fc.oneof(
  fc.constant({ method: 'GET', size: -1 }),
  fc.constant({ method: 'HEAD', size: -1 }),
  fc.record({ method: fc.constant('POST'), size: fc.constantFrom(0, 1, 20_000, 70_000, 300_000) }),
);
const cut = fc.constantFrom(1, 7, 1000, 65_536);

async function compare(session: ClientHttp2Session, socket: Socket): Promise<void> {
  const asker = new Asker(socket);
  await fc.assert(
    fc.asyncProperty(responsePlan, asked, cut, async (plan, { method, size }, pieces) => {
      planned = plan;
      asker.cut = pieces;
      const body = size < 0 ? null : Buffer.alloc(size, 'q');
      const theirs = await readByNode(session, method, body);
      const ours = await asker.ask(method, body);
      expect([ours.status, ours.body.length]).toEqual([theirs.status, theirs.body.length]);
      expect(ours.body === theirs.body).toBe(true);
      expect(ours.headers['x-received']).toBe(String(Math.max(0, size)));
      // The two may have been answered in different seconds.
      expect({ ...ours.headers, date: '' }).toEqual({ ...theirs.headers, date: '' });
      expect(asker.conversation.keepAlive).toBe(true);
    }),
    { numRuns: 120 },
  );
  session.destroy();
  socket.destroy();
}

test('over cleartext, whatever Node’s server sends is read as Node’s client reads it', async () => {
  const port = portOf(servers.plain);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await compare(connectHttp2(`http://127.0.0.1:${port}`), socket);
});

test('over TLS, whatever Node’s server sends is read as Node’s client reads it', async () => {
  const port = portOf(servers.secure);
  const ca = authority.caPem;
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    ca,
    servername: authority.hostname,
    ALPNProtocols: ['h2'],
  });
  await once(socket, 'secureConnect');
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca, servername: authority.hostname });
  await compare(session, socket);
});

test('of damaged responses, each is read, refused or waited for, and never throws', async () => {
  const bytes = await recordResponse();
  const edits = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
  const counts = { [incomplete]: 0, [complete]: 0, [malformed]: 0 };
  fc.assert(
    fc.property(edits, fc.boolean(), (changes, keeps) => {
      const damaged = Buffer.from(bytes);
      for (const [at, value] of changes) damaged[at] = value;
      const conversation = new Http2Conversation();
      conversation.begin(
        assembleHttp2Request({
          method: 'GET',
          path: '/',
          scheme: 'http',
          authority: 'a',
          headers: [],
          body: null,
          shared: true,
        }),
        keeps,
      );
      counts[conversation.read(damaged, damaged.length)]++;
    }),
    { numRuns: 5000 },
  );
  expect(Math.min(counts[complete], counts[malformed], counts[incomplete])).toBeGreaterThan(50);
});

/** Bytes that Node's server sends on a connection, from its settings to the end of the response. */
async function recordResponse(): Promise<Buffer> {
  planned = {
    status: 200,
    headers: [
      ['server-timing', 'app;dur=1.5'],
      ['vary', '|^~'],
    ],
    pieces: [30, 50],
    named: true,
    trailers: true,
    hints: 1,
  };
  const socket = connect(portOf(servers.plain), '127.0.0.1');
  await once(socket, 'connect');
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(Buffer.from(chunk)));
  await new Asker(socket).ask('GET', null);
  socket.destroy();
  return Buffer.concat(received);
}
