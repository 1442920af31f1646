/** Protects what the load generator takes of Node's inner handles: where they lead, what they tell, and what they count. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { PlainSocket } from './connection.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

type Address = { address: string; port: number };

async function serve(address: string, answer: (socket: Socket) => void): Promise<Address> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    answer(socket);
  });
  servers.push(server);
  await once(server.listen(0, address), 'listening');
  return { address, port: (server.address() as AddressInfo).port };
}

type Visit = { from?: string; send?: Buffer; onConnected?: (socket: PlainSocket) => void };

/** Events of a socket until it ends or fails, and its counters by then. */
async function visit(to: Address, { from, send, onConnected }: Visit = {}) {
  const buffer = Buffer.alloc(65_536);
  const told: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = new PlainSocket(to, from, buffer, {
    connected() {
      told.push('connected');
      if (send !== undefined) socket.write(send);
      onConnected?.(socket);
    },
    received: (length) => told.push(buffer.toString('latin1', 0, length)),
    endedByServer() {
      told.push('ended');
      resolve();
    },
    failed({ code }) {
      told.push(code ?? '');
      resolve();
    },
  });
  expect(told).toEqual([]);
  await Promise.race([promise, pause(2000)]);
  const { bytesRead, bytesWritten } = socket;
  socket.destroy();
  return { told, bytesRead, bytesWritten };
}

test.each([
  { listens: '127.0.0.1', from: undefined, seen: '127.0.0.1' },
  { listens: '127.0.0.1', from: '127.17.1.2', seen: '127.17.1.2' },
  { listens: '127.0.0.2', from: undefined, seen: '127.0.0.1' },
  { listens: '::1', from: undefined, seen: '::1' },
  { listens: '::1', from: '::1', seen: '::1' },
])('a socket leads to $listens, from $from', async ({ listens, from, seen }) => {
  const to = await serve(listens, (socket) => {
    socket.once('data', (sent) => socket.end(`${socket.remoteAddress} sent ${sent}`));
  });
  const { told, bytesRead, bytesWritten } = await visit(to, {
    send: Buffer.from('this'),
    ...(from === undefined ? {} : { from }),
  });
  const answer = `${seen} sent this`;
  expect(told).toEqual(['connected', answer, 'ended']);
  expect({ bytesRead, bytesWritten }).toEqual({ bytesRead: answer.length, bytesWritten: 4 });
});

test('more than the system takes at once arrives whole and in order, and fills no other write', async () => {
  const parts = [Buffer.alloc(12_000_000, 'a'), Buffer.from('b'), Buffer.alloc(5_000_000, 'c')];
  const to = await serve('127.0.0.1', (socket) => {
    const hash = createHash('sha256');
    let left = parts.reduce((sum, { length }) => sum + length, 0);
    socket.on('data', (bytes) => {
      hash.update(bytes);
      left -= bytes.length;
      if (left === 0) socket.end(hash.digest('hex'));
    });
    socket.pause();
    setTimeout(() => socket.resume(), 50);
  });
  const { told, bytesWritten } = await visit(to, {
    onConnected: (socket) => {
      for (const part of parts) socket.write(part);
    },
  });
  const whole = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
  expect(told).toEqual(['connected', whole, 'ended']);
  expect(bytesWritten).toBe(17_000_001);
});

test.each([
  { name: 'reset', to: () => serve('127.0.0.1', (socket) => socket.resetAndDestroy()), told: 'ECONNRESET' },
  { name: 'not listened to', to: closedPort, told: 'ECONNREFUSED' },
  {
    name: 'a name, which is not looked up',
    to: async () => ({ address: 'localhost', port: 1 }),
    told: 'EINVAL',
  },
])('a socket tells what went wrong: $name', async ({ to, told }) => {
  const all = (await visit(await to())).told;
  expect(all.at(-1)).toBe(told);
  expect(all.filter((each) => each !== 'connected')).toHaveLength(1);
});

test('a socket that cannot come from where it was told to does not connect', async () => {
  const to = await serve('127.0.0.1', (socket) => socket.end());
  expect((await visit(to, { from: '192.0.2.1' })).told).toEqual(['EADDRNOTAVAIL']);
});

test('a socket that was destroyed tells nothing more, whatever was under way', async () => {
  const to = await serve('127.0.0.1', (socket) => socket.end('late'));
  const told: string[] = [];
  const tell = (what: string) => () => told.push(what);
  const owner = {
    connected: tell('connected'),
    received: tell('received'),
    endedByServer: tell('ended'),
    failed: tell('failed'),
  };
  new PlainSocket(to, undefined, Buffer.alloc(10), owner).destroy();
  new PlainSocket(await closedPort(), undefined, Buffer.alloc(10), owner).destroy();
  const writing: PlainSocket = new PlainSocket(to, undefined, Buffer.alloc(10), {
    ...owner,
    connected() {
      writing.write(Buffer.alloc(20_000_000));
      writing.destroy();
      writing.write(Buffer.alloc(1));
    },
  });
  await pause(200);
  expect(told).toEqual([]);
});

async function closedPort(): Promise<Address> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { address: '127.0.0.1', port };
}
