/** Protects the only way out of the recorded browser: permitted hosts pass, all others are refused. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Egress, openEgress } from './permit-hosts.ts';

/** Listens everywhere, so that whatever address leads to this machine would reach it. */
const canary = createServer((incoming, response) => {
  seen.push(`${incoming.method} ${incoming.url}`);
  let body = '';
  incoming.on('data', (text) => (body += text));
  incoming.on('end', () => response.setHeader('X-Seen', 'yes').end(`${incoming.headers.host} ${body}`));
});
let seen: string[] = [];
let port = 0;
let egress: Egress;

beforeEach(async () => {
  seen = [];
  canary.listen(0, '0.0.0.0');
  await once(canary, 'listening');
  port = (canary.address() as AddressInfo).port;
  egress = await openEgress({
    known: new Map([['shop.example', '127.0.0.1']]),
    permits: [],
    own: [],
    onRefused: () => {},
  });
});

afterEach(async () => {
  await egress.close();
  canary.closeAllConnections();
  canary.close();
});

function ask(target: string, body = ''): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(egress.url, {
      method: body === '' ? 'GET' : 'POST',
      path: target,
      headers: { Host: URL.parse(target)?.host ?? '' },
    });
    outgoing.once('error', reject);
    outgoing.once('response', async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    outgoing.end(body);
  });
}

function askForTunnel(authority: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(egress.url);
    const socket = connect(Number(port), hostname, () =>
      socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`),
    );
    socket.once('error', reject);
    socket.once('data', (data) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1]));
      socket.destroy();
    });
  });
}

describe('the only way out of the recorded browser', () => {
  test('passes requests to loopback on, with their bodies and by their names', async () => {
    expect(await ask(`http://127.0.0.1:${port}/a?b=c`)).toMatchObject({ status: 200 });
    expect(await ask(`http://shop.example:${port}/`, 'q=x')).toEqual({
      status: 200,
      text: `shop.example:${port} q=x`,
    });
    expect(await askForTunnel(`localhost:${port}`)).toBe(200);
    expect(await askForTunnel(`shop.localhost:${port}`)).toBe(200);
    expect(seen).toEqual(['GET /a?b=c', 'POST /']);
    expect(egress.blocked()).toEqual([]);
  });

  test.each([
    '0.0.0.0',
    '0',
    '[::]',
    '[::ffff:0.0.0.0]',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '10.0.0.1',
    '0x0a000001',
    '[::ffff:10.0.0.1]',
    '[::127.0.0.1]',
    'nothing.invalid',
  ])('refuses %s, in both ways of asking, and sends nothing', async (host) => {
    expect((await ask(`http://${host}:${port}/canary`)).status).toBe(403);
    expect(await askForTunnel(`${host}:${port}`)).toBe(403);
    expect(seen).toEqual([]);
    expect(egress.blocked()).toMatchObject([{ count: 2 }]);
  });

  test('refuses the dashboard’s own port, in both ways of asking, and sends nothing', async () => {
    const own = await openEgress({
      known: new Map(),
      permits: [],
      own: [{ host: '127.0.0.1', port }],
      onRefused() {},
    });
    const theirs = egress;
    egress = own;
    try {
      expect((await ask(`http://127.0.0.1:${port}/canary`)).status).toBe(403);
      expect((await ask(`http://localhost:${port}/canary`, 'x')).status).toBe(403);
      expect(await askForTunnel(`127.0.0.1:${port}`)).toBe(403);
      expect(seen).toEqual([]);
      expect(own.blocked()[0]?.reason).toMatch(/is this dashboard/);
    } finally {
      egress = theirs;
      await own.close();
    }
  });

  test('says what it is to who asks it for a page', async () => {
    expect(await ask('/')).toMatchObject({ status: 400 });
  });

  test('answers for a server that is silent, and ends with its tunnels open', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port: nobody } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    expect(await ask(`http://127.0.0.1:${nobody}/`)).toMatchObject({ status: 502 });
  });

  test.each([
    ['HTTP/1.1 200 O\u0001K', 200],
    ['HTTP/1.1 099 Odd', 502],
    ['HTTP/1.1 200 OK\r\nX: \u0001', 502],
    ['nonsense', 502],
  ])('a server that answers with %j takes nobody down', async (head, status) => {
    const odd = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(`${head}\r\nContent-Length: 0\r\n\r\n`));
    });
    odd.listen(0, '127.0.0.1');
    await once(odd, 'listening');
    const { port: oddPort } = odd.address() as AddressInfo;
    expect(await ask(`http://127.0.0.1:${oddPort}/`)).toMatchObject({ status });
    odd.close();
  });
});
