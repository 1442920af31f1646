/** Protects that a path carries UDP as IPv4 does, and as it carries TCP: late, lossy, in order, with sums, in packets of a network. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import koffi from 'koffi';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { summariseAdded } from '../../method/statistics/estimates.ts';
import { measurePath } from '../../testing/measure-path.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { type Carrier, startForwarder } from './start-links.ts';

const isPossible =
  process.getuid?.() === 0 && existsSync('/dev/net/tun') && spawnSync('ip', ['-V']).status === 0;

const near: Link = { roundTripMs: 1, mbitPerS: null };
const host = '127.0.0.1';
const seed = 59;

/** Options of Linux that Node has no names for: level, then name. */
const noSum = [1, 11];
const discoverMtu = [0, 10];
const segmentation = [17, 103];

const library = koffi.load(null);
const c = {
  set: library.func('int setsockopt(int fd, int level, int name, void *value, uint bytes)'),
  get: library.func('int getsockopt(int fd, int level, int name, void *value, void *bytes)'),
  open: library.func('int socket(int family, int kind, int protocol)'),
  receive: library.func('long recv(int fd, void *into, size_t bytes, int flags)'),
  sendTo: library.func('long sendto(int fd, void *from, size_t bytes, int flags, void *to, uint toBytes)'),
  close: library.func('int close(int fd)'),
};

const sockets: Socket[] = [];

async function bind(address = host): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4_000_000 });
  sockets.push(socket);
  await once(socket.bind(0, address), 'listening');
  return socket;
}

/** Each socket's file descriptor, for options. */
const descriptors = new Map<Socket, number>();

/** Connected to the near end of a link. */
async function dial({ address, port }: { address: string; port: number }): Promise<Socket> {
  const fd = c.open(2, 2, 0);
  const socket = createSocket('udp4');
  descriptors.set(socket, fd);
  sockets.push(socket);
  socket.bind({ fd, exclusive: true });
  socket.connect(port, address);
  await once(socket, 'connect');
  return socket;
}

function send(socket: Socket, bytes: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.send(bytes, (error) => (error === null ? resolve() : reject(error)));
  return promise;
}

/** Everything that arrives, in order. */
function listen(socket: Socket): Buffer[] {
  const arrived: Buffer[] = [];
  socket.on('message', (bytes) => arrived.push(bytes));
  return arrived;
}

const until = (arrived: Buffer[], count: number) =>
  untilAsync(
    async () => arrived.length,
    (length) => length >= count,
  );

const numbered = (count: number, bytes = 64) =>
  Array.from({ length: count }, (_, nth) => {
    const message = Buffer.alloc(bytes, nth);
    message.writeUInt32BE(nth);
    return message;
  });
const numberOf = (message: Buffer) => message.readUInt32BE();

function setOption(socket: Socket, [level, name]: number[], value: number): void {
  expect(c.set(descriptors.get(socket), level, name, Int32Array.of(value), 4)).toBe(0);
}

/** Packets of IPv4 with UDP that this machine receives, as they arrive, before the kernel checks them. */
function watchPackets(port: number): { read(): Buffer[]; close(): void } {
  const fd = c.open(2, 3 | 0o4000, 17);
  const into = Buffer.alloc(65_536);
  return {
    read() {
      const found: Buffer[] = [];
      const next = () => c.receive(fd, into, into.length, 0);
      for (let bytes = next(); bytes > 0; bytes = next())
        if (into.readUInt16BE(22) === port) found.push(Buffer.from(into.subarray(0, bytes)));
      return found;
    },
    close: () => void c.close(fd),
  };
}

/** 0xffff for a sum of UDP that is right: RFC 768. */
function checkSum(packet: Buffer): number {
  const body = packet.subarray(20);
  const pseudo = [...packet.subarray(12, 20), 0, 17, body.length >> 8, body.length & 0xff];
  const words = Buffer.from([...pseudo, ...body, ...(body.length % 2 === 0 ? [] : [0])]);
  let sum = 0;
  for (let at = 0; at < words.length; at += 2) sum += words.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum;
}

/** The kernel's count of datagrams whose sum was wrong. */
function wrongSums(): number {
  const [names, counts] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Udp:'))
    .map((line) => line.split(' '));
  return Number(counts?.[names?.indexOf('InCsumErrors') ?? -1]);
}

describe.skipIf(!isPossible)('over a TUN device', () => {
  let forwarder: Carrier;
  beforeAll(async () => {
    forwarder = await startForwarder();
  });
  afterEach(async () => {
    await forwarder.close();
    for (const socket of sockets.splice(0)) socket.close();
    descriptors.clear();
  });
  afterAll(() => forwarder.stop());

  const openAny: Parameters<typeof measurePath>[0] = (link, targets) =>
    forwarder.open(link, targets, { protocol: 'UDP', seed });

  async function openTo(server: { port: number } | Socket, link: Link) {
    const port = 'port' in server ? server.port : server.address().port;
    const { ends, readBy } = await forwarder.open(link, [{ address: host, port }], { protocol: 'UDP', seed });
    return { end: ends[0] as (typeof ends)[0], readBy };
  }

  test.each([
    { roundTripMs: 0, lossPercent: 0.5 },
    { roundTripMs: 20, lossPercent: 2 },
    { roundTripMs: 100 },
  ])('delays and loses UDP and TCP alike, as asked: %j', { timeout: 60_000 }, async (asked) => {
    const extent = { pings: 20, packets: 2000, longestMs: 20_000 };
    const measured = await measurePath(openAny, { mbitPerS: null, ...asked }, extent);
    for (const { addedMs, packets, lost } of Object.values(measured)) {
      const added = summariseAdded(addedMs);
      // A busy machine is late, never early; the pings that go straight are not early either.
      expect(added?.p5).toBeGreaterThan(0.95 * asked.roundTripMs - 1);
      expect(added?.median).toBeLessThan(1.1 * asked.roundTripMs + 10);
      expect(packets).toBeGreaterThan(2000);
      const expected = (packets * (asked.lossPercent ?? 0)) / 100;
      // Within four standard deviations of a binomial count.
      expect(Math.abs(lost - expected)).toBeLessThanOrEqual(4 * Math.sqrt(expected));
    }
  });

  test('keeps the order, and the same seed loses the same packets', async () => {
    const heard: number[][] = [];
    for (let time = 0; time < 2; time++) {
      const server = await bind();
      const arrived = listen(server);
      const { end, readBy } = await openTo(server, { ...near, lossPercent: 5 });
      const client = await dial(end);
      for (const message of numbered(500)) await send(client, message);
      const lost = async () => {
        const by = await readBy();
        return by.name === 'kernel' && by.packets === 500 ? by.lost : Number.NaN;
      };
      await untilAsync(lost, (count) => arrived.length === 500 - count);
      const numbers = arrived.map(numberOf);
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
      heard.push(numbers);
    }
    expect(heard[0]?.length).toBeLessThan(500);
    expect(heard[1]).toEqual(heard[0]);
  });

  test('the receiving kernel gets whole sums to check, and none where the sender sent none', async () => {
    const server = await bind();
    const arrived = listen(server);
    const packets = watchPackets(server.address().port);
    const { end } = await openTo(server, near);
    const client = await dial(end);
    const before = wrongSums();
    // Odd and even lengths.
    for (let bytes = 4; bytes < 104; bytes++) await send(client, Buffer.alloc(bytes, bytes));
    await until(arrived, 100);
    const summed = packets.read();
    expect(summed.map(checkSum)).toEqual(Array.from({ length: 100 }, () => 0xffff));
    expect(summed.every((packet) => packet.readUInt16BE(26) !== 0)).toBe(true);
    setOption(client, noSum, 1);
    await send(client, Buffer.from('none'));
    await until(arrived, 101);
    expect(packets.read().map((packet) => packet.readUInt16BE(26))).toEqual([0]);
    packets.close();
    expect(wrongSums()).toBe(before);
  });

  test('a wrong sum stays wrong, and the receiving kernel drops it', async () => {
    const server = await bind();
    const arrived = listen(server);
    const { end } = await openTo(server, near);
    const before = wrongSums();
    const [from, to] = ['127.17.0.255', end.address].map((address) => address.split('.').map(Number));
    const packet = Buffer.from([
      0x45,
      0,
      0,
      32,
      0,
      0,
      0,
      0,
      64,
      17,
      0,
      0,
      ...(from ?? []),
      ...(to ?? []),
      99,
      99,
      0,
      0,
      0,
      12,
      0x12,
      0x34,
      1,
      2,
      3,
      4,
    ]);
    packet.writeUInt16BE(end.port, 22);
    const place = Buffer.from([2, 0, 0, 0, ...(to ?? []), 0, 0, 0, 0, 0, 0, 0, 0]);
    const fd = c.open(2, 3, 255);
    expect(c.sendTo(fd, packet, packet.length, 0, place, place.length)).toBe(packet.length);
    c.close(fd);
    await untilAsync(
      async () => wrongSums(),
      (count) => count === before + 1,
    );
    expect(arrived).toEqual([]);
  });

  test('a server at every address answers from where the client went to', async () => {
    const server = await bind('0.0.0.0');
    server.on('message', (bytes, { address, port }) => server.send(bytes, port, address));
    const { end } = await openTo(server, near);
    const client = await dial(end);
    const answers = listen(client);
    await send(client, Buffer.from('hello'));
    await until(answers, 1);
    expect(String(answers[0])).toBe('hello');
  });

  test('a datagram that is longer than a packet arrives in fragments, and is refused where it may not be split', async () => {
    const server = await bind();
    const arrived = listen(server);
    const { end, readBy } = await openTo(server, near);
    const client = await dial(end);
    const long = Buffer.from(Array.from({ length: 10_000 }, (_, nth) => nth % 251));
    await send(client, long);
    await until(arrived, 1);
    expect(arrived[0]?.equals(long)).toBe(true);
    // 10,008 bytes with the header of UDP, 1,480 in each packet.
    expect(await readBy()).toMatchObject({ packets: 7 });
    setOption(client, discoverMtu, 2);
    await send(client, Buffer.alloc(1472));
    await expect(send(client, Buffer.alloc(1473))).rejects.toMatchObject({ code: 'EMSGSIZE' });
  });

  test('what the kernel splits for the sender goes as packets of a network', async () => {
    const server = await bind();
    const arrived = listen(server);
    const { end, readBy } = await openTo(server, near);
    const client = await dial(end);
    setOption(client, segmentation, 1200);
    const parts = numbered(10, 1200);
    await send(client, Buffer.concat(parts));
    await until(arrived, 10);
    expect(arrived.map(numberOf)).toEqual(parts.map(numberOf));
    expect(await readBy()).toMatchObject({ packets: 10 });
  });

  test('where nothing listens, the client hears so', async () => {
    const server = await bind();
    const { port } = server.address();
    sockets.splice(sockets.indexOf(server), 1);
    server.close();
    const client = await dial((await openTo({ port }, near)).end);
    const refused = once(client, 'message');
    await send(client, Buffer.from('x'));
    await expect(refused).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('on a device with a larger MTU, what is too long is answered with the path’s, for UDP and TCP', async () => {
    const server = await bind();
    const arrived = listen(server);
    const { end } = await openTo(server, near);
    const device = /dev (tlstoll\d+)/.exec(
      execFileSync('ip', ['route', 'get', end.address], { encoding: 'utf8' }),
    )?.[1] as string;
    const raise = (mtu: number) => execFileSync('ip', ['link', 'set', device, 'mtu', `${mtu}`]);
    raise(9000);
    try {
      const client = await dial(end);
      client.on('error', () => {});
      setOption(client, discoverMtu, 2);
      const isRefused = () =>
        send(client, Buffer.alloc(4000)).then(
          () => null,
          ({ code }) => code,
        );
      await untilAsync(isRefused, (code) => code === 'EMSGSIZE');
      const mtu = new Int32Array(1);
      c.get(descriptors.get(client), 0, 14, mtu, Int32Array.of(4));
      expect(mtu[0]).toBe(1500);
      await send(client, Buffer.alloc(1472));
      await until(arrived, 1);
      expect(arrived.map(({ length }) => length)).toEqual([1472]);
      const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, host);
      await once(echo, 'listening');
      const { end: tcp } = await openTo(echo.address() as { port: number }, near);
      const socket = connect({ host: tcp.address, port: tcp.port, allowHalfOpen: true });
      socket.end(Buffer.alloc(1_000_000));
      expect((await buffer(socket)).length).toBe(1_000_000);
      echo.close();
    } finally {
      raise(1500);
    }
  });

  test('keeps to its rate within 2 %', { timeout: 60_000 }, async () => {
    const mbitPerS = 10;
    const measure = async () => {
      const asked = { roundTripMs: 20, mbitPerS };
      return (await measurePath(openAny, asked, { pings: 1, packets: 1, longestMs: 1 })).UDP.mbitPerS ?? 0;
    };
    // A machine that is busy is late, never early.
    const rate = await untilAsync(measure, (each) => each > 0.98 * mbitPerS);
    expect(rate).toBeLessThan(1.02 * mbitPerS);
  });
});
