/** Protects the path over a TUN device: slow start of the kernel, loss, rate, every byte, and that nothing of it is left. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { countSegments } from '../../testing/measure-path.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { type Carried, type Carrier, startForwarder } from './start-links.ts';

const isPossible =
  process.getuid?.() === 0 && existsSync('/dev/net/tun') && spawnSync('ip', ['-V']).status === 0;

/** Longer than any delay of a busy machine, so that none is taken for another round trip. */
const far: Link = { roundTripMs: 200, mbitPerS: null };
const near: Link = { roundTripMs: 1, mbitPerS: null };
/** Packets of 1,500 bytes, less the headers of IPv4 and TCP with its timestamps. */
const segment = 1448;
const host = '127.0.0.1';

const servers: Server[] = [];
const closeServers = () => {
  for (const server of servers.splice(0)) server.close();
};

async function serve(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, answer).listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const echo = (socket: Socket) => {
  socket.on('error', () => socket.destroy());
  socket.pipe(socket);
};

/** Sends as many zeros as it is asked for. */
const sendZeros = (socket: Socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', (asked) => socket.write(Buffer.alloc(Number(String(asked)))));
  socket.on('end', () => socket.end());
};

async function dial({ ends }: Carried): Promise<Socket> {
  const socket = connect({
    port: ends[0]?.port ?? 0,
    host: ends[0]?.address,
    allowHalfOpen: true,
    noDelay: true,
  });
  await once(socket, 'connect');
  return socket;
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(!isPossible)('over a TUN device', () => {
  let forwarder: Carrier;
  beforeAll(async () => {
    forwarder = await startForwarder();
  });
  afterEach(async () => {
    await forwarder.close();
    closeServers();
  });
  afterAll(() => forwarder.stop());

  const openTo = async (link: Link, port: number) => forwarder.open(link, [{ address: host, port }]);

  /** Whole round trips from the beginning of a connection to its first and its last byte, of the fastest of three. */
  async function flightsOf(path: Carried, bytes: number): Promise<{ first: number; last: number }> {
    const times = { first: Number.POSITIVE_INFINITY, last: Number.POSITIVE_INFINITY };
    for (let i = 0; i < 3; i++) {
      const fromMs = performance.now();
      const socket = await dial(path);
      socket.write(`${bytes}`);
      let left = bytes;
      socket.on('data', (read: Buffer) => {
        if (left === bytes) times.first = Math.min(times.first, performance.now() - fromMs);
        left -= read.length;
        if (left > 0) return;
        times.last = Math.min(times.last, performance.now() - fromMs);
        socket.end();
      });
      await once(socket, 'close');
    }
    const trips = (ms: number) => Math.floor(ms / far.roundTripMs);
    return { first: trips(times.first), last: trips(times.last) };
  }

  test('an answer of more than 10 segments takes another round trip, of more than 30 two, to the byte', async () => {
    const path = await openTo({ ...far, congestionControl: 'cubic' }, await serve(sendZeros));
    const flights: Record<number, unknown> = {};
    for (const bytes of [1, 10 * segment, 10 * segment + 1, 30 * segment, 30 * segment + 1])
      flights[bytes] = await flightsOf(path, bytes);
    // The connection's round trip and the request's come first.
    expect(flights).toEqual({
      1: { first: 2, last: 2 },
      14480: { first: 2, last: 2 },
      14481: { first: 2, last: 3 },
      43440: { first: 2, last: 3 },
      43441: { first: 2, last: 4 },
    });
  });

  test('a larger initial window moves the step', async () => {
    const path = await openTo({ ...far, initialWindow: 20 }, await serve(sendZeros));
    expect(await flightsOf(path, 20 * segment)).toEqual({ first: 2, last: 2 });
    expect(await flightsOf(path, 20 * segment + 1)).toEqual({ first: 2, last: 3 });
    expect(await path.readBy()).toMatchObject({ name: 'kernel', initialWindow: 20 });
  });

  test('a round trip of two seconds is one', async () => {
    const path = await openTo({ roundTripMs: 2000, mbitPerS: null }, await serve(echo));
    const fromMs = performance.now();
    const socket = await dial(path);
    expect(performance.now() - fromMs).toBeGreaterThanOrEqual(2000);
    socket.end('x');
    expect(String(await buffer(socket))).toBe('x');
    expect(performance.now() - fromMs).toBeGreaterThanOrEqual(4000);
  });

  test('loses what it says, and the kernel counts the same', async () => {
    const arrived = Promise.withResolvers<Socket>();
    const port = await serve((socket) => arrived.resolve(socket.resume()));
    const path = await openTo({ ...near, lossPercent: 1 }, port);
    const client = await dial(path);
    const server = await arrived.promise;
    const before = {
      forth: countSegments(client),
      back: countSegments(server),
      by: await countedByPath(path),
    };
    for (let i = 0; i < 8; i++) client.write(Buffer.alloc(1_000_000));
    await untilAsync(
      async () => server.bytesRead,
      (bytes) => bytes === 8_000_000,
    );
    await untilAsync(
      async () => countSegments(client),
      ({ unacked }) => unacked === 0,
    );
    const forth = since(before.forth, countSegments(client));
    const back = since(before.back, countSegments(server));
    const by = since(before.by, await countedByPath(path));
    const lostForth = forth.segsOut - back.segsIn;
    const lostBack = back.segsOut - forth.segsIn;
    expect(by.packets).toBe(forth.segsOut + back.segsOut);
    expect(by.lost).toBe(lostForth + lostBack);
    expect(by.overflowed).toBe(0);
    // Within five standard deviations of one in a hundred.
    expect(Math.abs(by.lost - by.packets / 100)).toBeLessThan(5 * Math.sqrt(by.packets / 100));
    // Every lost packet was sent again.
    expect(forth.retransmits).toBeGreaterThanOrEqual(lostForth);
    client.destroy();
    server.destroy();
  });

  test('keeps to its rate within 2 %, which its connections share', async () => {
    const mbitPerS = 16;
    const port = await serve((socket) => socket.resume().on('end', () => socket.end()));
    const path = await openTo({ roundTripMs: 20, mbitPerS }, port);
    const bytes = 2_000_000;
    const measure = async () => {
      const fromMs = performance.now();
      const sockets = await Promise.all([dial(path), dial(path)]);
      for (const socket of sockets) socket.resume().end(Buffer.alloc(bytes));
      await Promise.all(sockets.map((socket) => once(socket, 'close')));
      const ofPackets = (2 * bytes * 1500) / segment;
      // Less the connection's round trip, the last byte's way, and its acknowledgment’s.
      return (ofPackets * 8) / (performance.now() - fromMs - 40) / 1000;
    };
    // A machine that is busy is late, never early.
    const rate = await untilAsync(measure, (each) => each > 0.98 * mbitPerS);
    expect(rate).toBeLessThan(1.02 * mbitPerS);
  });

  test.each([
    ['without a rate', near],
    ['with one, and losses', { roundTripMs: 1, mbitPerS: 200, lossPercent: 0.5 }],
  ])('every byte arrives, in order, %s', async (_, link) => {
    const path = await openTo(link, await serve(echo));
    const sent = randomBytes(4_000_000);
    const sockets = await Promise.all([dial(path), dial(path)]);
    const back = sockets.map((socket) => buffer(socket));
    for (const socket of sockets) socket.end(sent);
    for (const each of await Promise.all(back)) expect(hashOf(each)).toBe(hashOf(sent));
  });

  test('clients of many addresses reach servers at other addresses of this machine', async () => {
    const path = await openTo(near, await serve(echo));
    for (const localAddress of ['127.17.0.1', '127.17.3.254']) {
      const [end] = path.ends;
      const socket = connect({ port: end?.port ?? 0, host: end?.address, localAddress, allowHalfOpen: true });
      socket.end('x');
      expect(String(await buffer(socket))).toBe('x');
    }
  });

  test('a reset by the server reaches the client', async () => {
    const port = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const socket = await dial(await openTo(near, port));
    socket.write('x');
    await expect(once(socket, 'data')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('where nothing listens, the connection is refused', async () => {
    const port = await serve(echo);
    closeServers();
    await expect(dial(await openTo(near, port))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('a congestion control that this kernel does not have is refused by name', async () => {
    const opened = openTo({ ...near, congestionControl: 'nosuch' }, 1);
    await expect(opened).rejects.toThrow(/^this kernel has no congestion control nosuch \(choose .*cubic/);
  });

  test('killed, it leaves no device and no route, and what it carried is reset', async () => {
    const other = await startForwarder();
    const arrived = Promise.withResolvers<Socket>();
    const port = await serve(arrived.resolve);
    const path = await other.open(near, [{ address: host, port }]);
    const socket = await dial(path);
    const server = await arrived.promise;
    const [end] = path.ends;
    const route = () => execFileSync('ip', ['route', 'get', `${end?.address}`], { encoding: 'utf8' });
    expect(route()).toContain('dev tlstoll');
    process.kill(other.pid, 'SIGKILL');
    expect(await other.ended).toBe('The process that forwards packets ended (SIGKILL).');
    // The kernel takes the device away a moment after its process.
    await untilAsync(
      async () => route(),
      (found) => found.includes('dev lo'),
    );
    for (const each of [socket, server]) each.write('x');
    await Promise.all([socket, server].map((each) => once(each, 'error')));
  });
});

async function countedByPath({ readBy }: Carried) {
  const by = await readBy();
  if (by.name !== 'kernel') throw new Error('the relay was used');
  const { packets, lost, overflowed } = by;
  return { packets, lost, overflowed };
}

function since<Counts extends Record<string, number>>(before: Counts, now: Counts): Counts {
  const entries = Object.entries(now).map(([name, count]) => [name, count - (before[name] ?? 0)]);
  return Object.fromEntries(entries) as Counts;
}
