/** Protects the servers of this machine that are offered as targets: what speaks HTTP or TLS, and nothing else. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openAuthority } from '../certificates/certificate-authority.ts';
import { findLocalServers } from './place-in-chain.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** Below the ports that are taken at random. */
async function listen(server: Server): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    server.listen(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(server, 'listening').then(() => ['listening']),
      once(server, 'error').then(() => ['error']),
    ]);
    if (event === 'error') continue;
    open.push(server);
    return (server.address() as AddressInfo).port;
  }
}

test('one process that speaks both is one server, and silent or switching ports and the dashboard itself are left out', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tls-toll-local-'));
  try {
    const { certPem: cert, keyPem: key } = await openAuthority(directory);
    const http = await listen(createHttp((_request, response) => response.end('x')));
    const https = await listen(createHttps({ cert, key }, (_request, response) => response.end('x')));
    const silent = await listen(createServer((socket) => socket.on('error', () => {})));
    const switching = await listen(
      createHttp((_request, response) =>
        response.writeHead(101, { connection: 'Upgrade', upgrade: 'websocket' }).end(),
      ),
    );
    const found = await findLocalServers(null);
    const ours = found.find((server) => server.http.includes(http));
    expect(ours?.https).toContain(https);
    expect(ours?.program).toBe('node');
    const ports = found.flatMap((server) => [...server.http, ...server.https]);
    expect(ports).not.toContain(silent);
    expect(ports).not.toContain(switching);
    expect((await findLocalServers(process.pid)).flatMap((server) => server.http)).not.toContain(http);
  } finally {
    await rm(directory, { recursive: true });
  }
});
