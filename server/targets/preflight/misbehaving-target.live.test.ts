/** Protects what is said of a target that misbehaves: what it did, at once, over HTTP and HTTPS. */
import { createServer as createHttp2, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTcp, type Server, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { createServer as createTls, Server as TlsServer } from 'node:tls';
import { expect, test } from 'vitest';
import type { CheckId } from '../../../shared/target/preflight.ts';
import type { Listener } from '../../../shared/target/target.ts';
import {
  check,
  expectProblem,
  httpAt,
  httpsAt,
  listen,
  serveHttp,
  serveHttps,
  shopCertificate,
} from '../../testing/preflight-in-test.ts';

type Problem = {
  what: string;
  act: (socket: Socket) => unknown;
  check?: CheckId;
  says: RegExp;
  timeoutMs?: number;
};

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const half = `${head}Content-Length: 1000\r\n\r\nhalf`;

/** Long enough for what was written to be read, so that the reset does not overtake it. */
const writeAndReset = async (socket: Socket, text: string) => {
  socket.write(text);
  await after(50);
  resetUnder(socket);
};

const problems: Problem[] = [
  {
    what: 'closes in the middle of a body after 20 ms',
    act: async (socket) => {
      socket.write(half);
      await after(20);
      socket.destroy();
    },
    says: /got 4 of 1000 bytes of the body: .* closed the connection/,
  },
  {
    what: 'closes in the middle of a chunked body',
    act: (socket) => socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
    says: /got 4 bytes of a body without its end: .* closed the connection/,
  },
  {
    what: 'resets in the middle of a body',
    act: (socket) => writeAndReset(socket, half),
    says: /got 4 of 1000 bytes of the body: .* (reset|closed) the connection/,
  },
  {
    what: 'closes before the head',
    act: (socket) => socket.end(),
    says: /got no response: .* closed the connection/,
  },
  {
    what: 'resets before the head',
    act: (socket) => resetUnder(socket),
    says: /got no response: .* (reset|closed) the connection/,
  },
  {
    what: 'closes in the middle of the head',
    act: (socket) => socket.end(head),
    says: /got only a part of the response’s head: .* closed the connection/,
  },
  {
    what: 'sends more than its Content-Length',
    act: (socket) => socket.end(`${head}Content-Length: 2\r\n\r\nhalf`),
    check: 'http_version',
    says: /there are bytes after the end of the response\.$/,
  },
  {
    what: 'sends two lengths',
    act: (socket) => socket.end(`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhal`),
    check: 'http_version',
    says: /invalid Content-Length, or more than one\.$/,
  },
  {
    what: 'sends a chunk of no size',
    act: (socket) => socket.end(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nhalf\r\n`),
    check: 'http_version',
    says: /a chunk without a valid size/,
  },
  {
    what: 'sends another protocol',
    act: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    check: 'http_version',
    says: /is not valid HTTP\/1\.1\. It begins with “SSH-2\.0-OpenSSH_9\.6”/,
  },
  {
    what: 'sends bytes that are no text',
    act: (socket) => socket.end(Buffer.alloc(64)),
    check: 'http_version',
    says: /is not valid HTTP\/1\.1\. Correct the port/,
  },
  {
    what: 'sends an endless head',
    act: (socket) => socket.end(`${head}X-Long: ${'a'.repeat(300_000)}\r\n\r\n`),
    check: 'http_version',
    says: /head of the response is longer than 256 KiB\.$/,
  },
  {
    what: 'drips its body',
    act: (socket) => {
      socket.write(half);
      const drip = setInterval(() => socket.write('.'), 100);
      socket.once('close', () => clearInterval(drip));
    },
    says: /got \d+ of 1000 bytes of the body from .* within 1 s/,
    timeoutMs: 1000,
  },
];

/** Its TCP connections by the port of the client: under TLS one cannot be reset from above. */
const connections = new Map<number | undefined, Socket>();

function resetUnder({ remotePort }: Socket): void {
  connections.get(remotePort)?.resetAndDestroy();
}

function misbehaving(server: Server, act: Problem['act']): Server {
  server.on('connection', (socket) => connections.set(socket.remotePort, socket));
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => act(socket));
  });
  return server;
}

const sides: [transport: string, serve: (problem: Problem) => Promise<[Listener, Listener]>][] = [
  [
    'HTTP',
    async ({ act }) => [httpAt(await listen(misbehaving(createTcp(), act))), httpsAt(await serveHttps())],
  ],
  [
    'HTTPS',
    async ({ act }) => [
      httpAt(await serveHttp()),
      httpsAt(await listen(misbehaving(createTls(shopCertificate), act))),
    ],
  ],
];

test.each(
  sides.flatMap(([transport, serve]) => problems.map((problem) => ({ ...problem, transport, serve }))),
)('A target that $what over $transport is reported as that', async ({ serve, transport, ...problem }) => {
  const [http, https] = await serve(problem);
  const options = problem.timeoutMs === undefined ? {} : { timeoutMs: problem.timeoutMs };
  const report = await check(http, https, options);
  const side = transport === 'HTTP' ? 'baseline' : 'comparison';
  expectProblem(report, side, problem.check ?? 'status', problem.says);
  expect(report.problem).toMatch(/^Step “home”/);
});

test('A target that closes in the middle of a body over HTTP/2 is reported as that', async () => {
  const server = createHttp2();
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200, 'content-length': '1000' });
    stream.write('half', async () => {
      await after(50);
      stream.session?.destroy();
    });
  });
  const listener: Listener = { ...httpAt(await listen(server)), transport: 'h2c' };
  const report = await check(listener, httpsAt(await serveHttps()));
  expectProblem(report, 'baseline', 'status', /got 4 of 1000 bytes of the body: .* closed the connection/);
});

test('A target that closes at once and waits for ever in a TLS handshake is not taken for slow', async () => {
  const port = await listen(
    createTcp((socket) => {
      socket.on('error', () => {});
      socket.once('data', (chunk) => {
        if (chunk[0] !== 22) socket.end();
      });
    }),
  );
  const report = await check(httpAt(port), httpsAt(await serveHttps()));
  expectProblem(report, 'baseline', 'status', /got no response: .* closed the connection/);
});
