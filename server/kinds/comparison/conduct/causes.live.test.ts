/** Protects causes against servers that have them: the sentence that a run says of each, with its figures. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { RunRequestInput } from '../../../../shared/kinds/comparison/run-request.ts';
import { pathScenario } from '../../../../shared/scenario/scenario.ts';
import {
  type Authority,
  openAuthority,
  openChain,
} from '../../../targets/certificates/certificate-authority.ts';
import { measureSides } from '../../../testing/measure-sides.ts';
import { hasNginx, startNginxInTest } from '../../../testing/nginx-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-causes-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const isInstalled = (program: string) => spawnSync('which', [program]).status === 0;

let authority: Authority;
beforeAll(async () => {
  authority = await openAuthority(directory);
  writeFileSync(join(directory, 'key.pem'), authority.keyPem);
  writeFileSync(join(directory, 'cert.pem'), authority.certPem);
});

type Ports = { http: number; https: number };

const measure = (
  { http, https }: Ports,
  asked: RunRequestInput = {},
  onBlock: () => void = () => {},
  plan: Partial<Plan> = {},
): Promise<RunDocument> =>
  measureSides(
    {
      target: {
        ...{ kind: 'origins', ca: authority.caPem },
        ...{ http: `http://127.0.0.1:${http}`, https: `https://127.0.0.1:${https}` },
      },
      scenario: pathScenario(['/']),
      ...asked,
    },
    {
      ...{ directory, onBlock },
      plan: {
        ...{ lockstepMs: 1500, maximumMs: 2000, sampleMs: 200 },
        ...(asked.users == null ? {} : { users: asked.users }),
        ...plan,
      },
    },
  );

/** Over TLS, it writes a response in two parts and leaves Nagle's algorithm on; each answer takes `burnMs` of CPU. */
const program = `
const { readFileSync } = require('node:fs');
const [directory, burnMs, isSlow, httpPort = 0, httpsPort = 0] = process.argv.slice(1);
const answer = (socket) => {
  socket.on('error', () => {});
  socket.on('data', () => {
    const from = process.cpuUsage();
    while (process.cpuUsage(from).user < 1000 * burnMs);
    socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\n');
    setImmediate(() => socket.write('shop'));
  });
};
const key = readFileSync(directory + '/key.pem'), cert = readFileSync(directory + '/cert.pem');
const noDelay = isSlow !== 'nagle';
const http = require('node:net').createServer({ noDelay: true }, answer);
const https = require('node:tls').createServer({ key, cert, noDelay }, answer);
http.listen(httpPort, '127.0.0.1', () => https.listen(httpsPort, '127.0.0.1', () => {
  console.log(JSON.stringify({ http: http.address().port, https: https.address().port }));
}));
`;

type Started = { child: ChildProcess; ports: Ports };

const serve = (...args: string[]) => start(process.execPath, ['-e', program, directory, ...args]);

/** A program that prints its ports. */
async function start(command: string, args: readonly string[]): Promise<Started> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  return { child, ports: JSON.parse(String(line)) };
}

test('Nagle’s algorithm on one side', { timeout: 120_000 }, async () => {
  const { ports } = await serve('0', 'nagle');
  const { warnings } = await measure(ports);
  expect(warnings).toContainEqual(
    expect.stringMatching(
      /^At least \d+ % of the transactions over HTTPS take 38 to 48 ms, and 0 % on the other side: HTTPS waits, and its CPU is less busy \(0\.\d+ of a core, the other side \d\.\d+\)\. Set TCP_NODELAY /,
    ),
  );
});

test.runIf(hasNginx)('a server that closes idle connections after 1 s', { timeout: 120_000 }, async () => {
  const closing = 'keepalive_timeout 1s;';
  const nginx = await startNginxInTest(authority, ['http', 'https'], { ofHttps: closing });
  onTestFinished(() => nginx.stop());
  const pausing = { name: 'Read on', method: 'GET', path: '/', thinkTimeMs: 1200 } as const;
  const scenario = { name: 'Visit', steps: [{ name: 'Page', method: 'GET', path: '/' } as const, pausing] };
  const { warnings, errors } = await measure(
    { http: nginx.httpPort, https: nginx.httpsPort },
    { scenario, thinkTimeScale: 1 },
  );
  expect(errors).toEqual([]);
  expect(warnings).toContainEqual(
    expect.stringMatching(
      /^HTTPS closed \d+ connections that were idle for about a second or longer, .* Set the server’s keep-alive timeout above/,
    ),
  );
});

/** Two servers with a single thread, which keep to one connection until it is closed. */
const singleThreaded = `
import http.server, ssl, sys, threading
class Shop(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Length', '4')
        self.end_headers()
        self.wfile.write(b'shop')
    def log_message(self, *args): pass
    def handle(self):
        try: super().handle()
        except OSError: pass
class Server(http.server.HTTPServer):
    def finish_request(self, request, address):
        if self.context is not None:
            try: request = self.context.wrap_socket(request, server_side=True)
            except OSError: return
        super().finish_request(request, address)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1] + '/cert.pem', sys.argv[1] + '/key.pem')
servers = [Server(('127.0.0.1', 0), Shop) for _ in range(2)]
for server, own in zip(servers, [None, context]):
    server.context = own
    threading.Thread(target=server.serve_forever).start()
print('{"http": %d, "https": %d}' % tuple(server.server_port for server in servers), flush=True)
`;

test.skipIf(!isInstalled('python3'))('servers with a single thread', { timeout: 120_000 }, async () => {
  const { ports } = await start('python3', ['-c', singleThreaded, directory]);
  const fromMs = performance.now();
  await expect(measure(ports)).rejects.toMatchObject({
    problem: {
      code: 'too_few_slots',
      detail:
        'HTTP and HTTPS serve 2 of 6 connections at a time. Use a new connection per request (--connection-policy connection-per-request).',
    },
  });
  expect(performance.now() - fromMs).toBeLessThan(20_000);
});

test.runIf(hasNginx)(
  'an nginx with 64 connections, of which it drops some',
  { timeout: 120_000 },
  async () => {
    const nginx = await startNginxInTest(authority, ['http', 'https'], { connections: 64 });
    onTestFinished(() => nginx.stop());
    await expect(
      measure({ http: nginx.httpPort, https: nginx.httpsPort }, { users: 100 }),
    ).rejects.toMatchObject({
      problem: {
        code: 'too_few_slots',
        detail: expect.stringMatching(
          /^HTTP and HTTPS serve (5\d|6[0-2]) of 300 connections at a time\. Use --users (1[6-9]|20) or /,
        ),
      },
    });
  },
);

/** The CPU controller of version 1, or of version 2 where the root hands it on. */
const controllers = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'];
const group = controllers
  .map((root) => join(root, `tls-toll-${process.pid}`))
  .find((path) => {
    try {
      mkdirSync(path);
      if (existsSync(join(path, 'cpu.cfs_quota_us')) || existsSync(join(path, 'cpu.max'))) return true;
      rmdirSync(path);
      return false;
    } catch {
      return false;
    }
  });
afterAll(() => {
  if (group !== undefined) rmdirSync(group);
});

test.skipIf(group === undefined)('a CPU quota', { timeout: 120_000 }, async () => {
  const place = group ?? '';
  const { child, ports } = await serve('2', 'none');
  if (existsSync(join(place, 'cpu.max'))) writeFileSync(join(place, 'cpu.max'), '20000 100000');
  else writeFileSync(join(place, 'cpu.cfs_quota_us'), '20000');
  writeFileSync(join(place, 'cgroup.procs'), String(child.pid));
  const { warnings, launches } = await measure(ports);
  expect(launches[0]?.cpuCheck?.[0]?.throttling?.throttled).toBeGreaterThan(0);
  expect(warnings).toContainEqual(
    expect.stringMatching(
      /^A CPU quota held HTTP up in \d+ of \d+ periods \(\d+ %\)\. .* Raise the CPU quota/,
    ),
  );
});

const nothing: RequestListener = (_, response) => response.end('shop');

/** Listens until the test ends. @param port 0 for any */
async function listen(server: Server, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await once(server.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const identity = () => ({ cert: authority.certPem, key: authority.keyPem });
const newConnections = { connectionPolicy: 'connection-per-request' } as const;
const resuming = { ...newConnections, tls: { resumption: 'tickets' } } as const;

test('servers behind one address that do not share their ticket keys', { timeout: 120_000 }, async () => {
  const fleet = [createHttps(identity(), nothing), createHttps(identity(), nothing)];
  const ports = await Promise.all(fleet.map((server) => listen(server)));
  let nth = 0;
  const balancer = createTcp((client) => {
    const server = connect(ports[nth++ % 2] ?? 0, '127.0.0.1');
    pipeline(client, server, client, () => {});
  });
  const asked = { http: await listen(createHttp(nothing)), https: await listen(balancer) };
  // It takes a hundred handshakes to tell.
  const { warnings, errors } = await measure(asked, resuming, undefined, { maximumMs: 4000 });
  expect(errors).toEqual([]);
  expect(warnings).toContainEqual(
    expect.stringMatching(
      /^HTTPS resumed \d+ % of its connections, not 100 %: the server declined sessions, and [\d,]+ handshakes were full\. Share the ticket keys/,
    ),
  );
});

/** Whether a ClientHello has the extension `pre_shared_key`, which comes last. Source: RFC 8446, 4.2.11. */
function offersSession(hello: Buffer): boolean {
  for (let at = 44; at < hello.length - 4; at++) {
    const isType = hello.readUInt16BE(at) === 41;
    if (isType && at + 4 + hello.readUInt16BE(at + 2) === hello.length) return true;
  }
  return false;
}

test('a server that turns away whoever offers a session', { timeout: 120_000 }, async () => {
  const behind = await listen(createHttps(identity(), nothing));
  const strict = createTcp((client) => {
    client.on('error', () => client.destroy());
    client.once('data', (hello: Buffer) => {
      if (offersSession(hello)) {
        client.destroy();
        return;
      }
      const server = connect(behind, '127.0.0.1');
      server.write(hello);
      pipeline(client, server, client, () => {});
    });
  });
  const asked = { http: await listen(createHttp(nothing)), https: await listen(strict) };
  await expect(measure(asked, resuming)).rejects.toThrow(
    /^The server broke off \d+ of \d+ connections that offered the session it had given, .* Returning visitors cannot connect\./,
  );
});

test('a certificate that is replaced in the run', { timeout: 120_000 }, async () => {
  const server = createHttps(identity(), nothing);
  const asked = { http: await listen(createHttp(nothing)), https: await listen(server) };
  const other = await openChain(join(directory, 'other'), 'RSA-2048', 0);
  const replace = () => server.setSecureContext({ cert: other.certPem, key: other.keyPem });
  await expect(measure(asked, newConnections, replace)).rejects.toMatchObject({
    problem: {
      code: 'target_errors',
      detail: expect.stringMatching(
        /^The target failed in part 2 of the run: HTTPS.*: the server shows another certificate, which is not trusted \(/,
      ),
      advice: expect.stringContaining('do not change it during a run'),
    },
  });
});

test('a server that is restarted in the run', { timeout: 90_000 }, async () => {
  const started = await serve('0', 'none');
  let isRestarted = false;
  const { warnings, launches } = await measure(started.ports, {}, () => {
    if (isRestarted) return;
    isRestarted = true;
    started.child.kill('SIGKILL');
    void serve('0', 'none', `${started.ports.http}`, `${started.ports.https}`);
  });
  expect(launches.length).toBeGreaterThan(1);
  expect(warnings.find((warning) => warning.includes('restarted'))).toMatch(
    /^The server of HTTP was restarted in the run: process \d+, then \d+\./,
  );
});
