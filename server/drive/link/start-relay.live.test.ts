/** Protects the relay: its delay, every byte, an end and a reset of them. */

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { Reason } from '../../base/text/foreign-errors.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { type Carrier, startRelay } from './start-links.ts';

let relay: Carrier;
const servers: Server[] = [];
beforeAll(async () => {
  relay = await startRelay(new Reason('this is a test'));
});
afterEach(async () => {
  await relay.close();
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => relay.stop());

const slow: Link = { roundTripMs: 40, mbitPerS: null };
const quick: Link = { roundTripMs: 1, mbitPerS: null };

async function serve(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const echo = (socket: Socket) => {
  socket.on('error', () => socket.destroy());
  socket.pipe(socket);
};

async function openTo(port: number, link: Link): Promise<{ dial(): Promise<Socket> }> {
  const { ends } = await relay.open(link, [{ address: '127.0.0.1', port }]);
  return {
    async dial() {
      const socket = connect({
        port: ends[0]?.port ?? 0,
        host: '127.0.0.1',
        allowHalfOpen: true,
        noDelay: true,
      });
      await once(socket, 'connect');
      return socket;
    },
  };
}

async function timeEcho(socket: Socket): Promise<number> {
  const fromMs = performance.now();
  socket.write('ping');
  await once(socket, 'data');
  return performance.now() - fromMs;
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('no answer is early', async () => {
  const open = await openTo(await serve(echo), slow);
  const socket = await open.dial();
  await timeEcho(socket);
  const times: number[] = [];
  for (let i = 0; i < 20; i++) times.push(await timeEcho(socket));
  socket.destroy();
  expect(Math.min(...times)).toBeGreaterThanOrEqual(slow.roundTripMs);
});

test('a new connection takes a round trip more than one that stands', async () => {
  const open = await openTo(await serve(echo), slow);
  const opened: number[] = [];
  const standing: number[] = [];
  for (let i = 0; i < 5; i++) {
    const fromMs = performance.now();
    const socket = await open.dial();
    await timeEcho(socket);
    opened.push(performance.now() - fromMs);
    standing.push(await timeEcho(socket));
    socket.destroy();
  }
  expect(Math.min(...opened)).toBeGreaterThanOrEqual(2 * slow.roundTripMs);
  expect(Math.min(...opened) - Math.min(...standing)).toBeGreaterThan(0.5 * slow.roundTripMs);
  expect(Math.min(...standing)).toBeLessThan(2 * slow.roundTripMs);
});

test.each([
  ['without a rate', quick],
  ['with one, in pieces', { roundTripMs: 1, mbitPerS: 200 }],
])('every byte arrives, in order, %s', async (_, link) => {
  const { dial } = await openTo(await serve(echo), link);
  const sent = randomBytes(8_000_000);
  const sockets = await Promise.all([dial(), dial()]);
  const back = sockets.map((socket) => buffer(socket));
  for (const socket of sockets) socket.end(sent);
  for (const each of await Promise.all(back)) expect(hashOf(each)).toBe(hashOf(sent));
});

test('connections share the rate', async () => {
  const link = { roundTripMs: 1, mbitPerS: 16 };
  const port = await serve((socket) => socket.resume().on('end', () => socket.end('.')));
  const { dial } = await openTo(port, link);
  const fromMs = performance.now();
  const sockets = await Promise.all([dial(), dial()]);
  for (const socket of sockets) socket.end(Buffer.alloc(400_000));
  await Promise.all(sockets.map((socket) => once(socket.resume(), 'end')));
  // 800,000 bytes at 2,000 a millisecond.
  expect(performance.now() - fromMs).toBeGreaterThanOrEqual(400);
});

test('after an end of one direction the other goes on', async () => {
  const port = await serve((socket) => {
    let bytes = 0;
    socket.on('data', (read) => {
      bytes += read.length;
    });
    socket.on('end', () => socket.end(`${bytes} bytes`));
  });
  const socket = await (await openTo(port, quick)).dial();
  socket.end('four');
  expect(String(await buffer(socket))).toBe('4 bytes');
});

test('a reset by the target reaches the client', async () => {
  const port = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const socket = await (await openTo(port, quick)).dial();
  socket.write('x');
  await expect(once(socket, 'data')).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a reset by the client reaches the target', async () => {
  const reset = Promise.withResolvers<unknown>();
  const port = await serve((socket) => {
    socket.resume().on('error', reset.resolve);
    socket.write('go');
  });
  const socket = await (await openTo(port, quick)).dial();
  await once(socket, 'data');
  socket.resetAndDestroy();
  expect(await reset.promise).toMatchObject({ code: 'ECONNRESET' });
});

test('where nothing listens, the connection is reset', async () => {
  const port = await serve(echo);
  for (const server of servers.splice(0)) {
    server.close();
    await once(server, 'close');
  }
  const { dial } = await openTo(port, quick);
  // A client that is slow hears of the reset before it hears that it was connected.
  const answered = dial().then((socket) => once(socket, 'data'));
  await expect(answered).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('a target that does not read holds the client up, and loses nothing', async () => {
  const arrived = Promise.withResolvers<Socket>();
  const { dial } = await openTo(await serve(arrived.resolve), quick);
  const socket = await dial();
  const sent = randomBytes(1_000_000);
  const total = 64;
  for (let i = 0; i < total; i++) socket.write(sent);
  socket.end();
  const target = await arrived.promise;
  // Bytes that the kernel and the relay do not take stay with the client.
  const held = async () => {
    const before = socket.writableLength;
    await pause(500);
    return before - socket.writableLength;
  };
  await untilAsync(held, (taken) => taken === 0);
  expect(socket.writableLength).toBeGreaterThan((total / 2) * sent.length);
  const got = await buffer(target);
  expect(got.length).toBe(total * sent.length);
  expect(hashOf(got.subarray(-sent.length))).toBe(hashOf(sent));
  socket.destroy();
});

test.each([{ lossPercent: 1 }, { initialWindow: 20 }, { congestionControl: 'bbr' }])(
  'does not pretend to what it cannot: %j',
  async (part) => {
    const asked = relay.open({ ...quick, ...part }, [{ address: '127.0.0.1', port: await serve(echo) }]);
    await expect(asked).rejects.toThrow(
      'loss, an initial window, and a congestion control need Linux TCP over a TUN device, but this is a test',
    );
  },
);

test('it carries no UDP, and says what loopback is', async () => {
  const asked = relay.open(quick, [{ address: '127.0.0.1', port: 9 }], { protocol: 'UDP' });
  await expect(asked).rejects.toThrow(
    'UDP needs a TUN device, but this is a test; without a link, loopback has an MTU of 65,536 bytes, which favors TCP',
  );
});
