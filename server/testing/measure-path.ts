import { execFileSync } from 'node:child_process';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Link } from '../../shared/kinds/comparison/link.ts';
import { addedMs } from '../method/statistics/estimates.ts';
import { untilAsync } from './until-async.ts';

/**
 * The path of a link as the ends of UDP and of TCP find it, to be held against what was asked. The ends are sockets of this process, and
 * nothing is read from what carries the link.
 */

export type PathFigures = {
  /** That the link added to each ping that was answered, in ms. */
  addedMs: number[];
  /** Sent by both ends, and those of them that did not arrive. */
  packets: number;
  lost: number;
  /** Packets of IPv4 that arrive while the sender has more to send; null for a link without a rate. */
  mbitPerS: number | null;
};

type Extent = {
  pings: number;
  /** Packets that are sent to count losses. */
  packets: number;
  /** Time after which no more segments are sent, because losses slow TCP down. */
  longestMs: number;
};
type End = { address: string; port: number };
type Opening = (link: Link, targets: End[]) => Promise<{ ends: End[] }>;

const host = '127.0.0.1';
const pingBytes = 64;
const headerBytes = { UDP: 28, TCP: 52 };
const fullBytes = { UDP: 1472, TCP: 1448 };
/** On a busy machine, what was sent last may arrive so much later than the link says. */
const graceMs = 300;
const rateMs = 2000;

/** @param open of a link that carries TCP and UDP */
export async function measurePath(
  open: Opening,
  { mbitPerS, lossPercent, ...rest }: Link,
  extent: Extent,
): Promise<{ UDP: PathFigures; TCP: PathFigures }> {
  const datagrams = await bindUdp();
  datagrams.on('message', (bytes, { address, port }) => {
    if (bytes.length === pingBytes) datagrams.send(bytes, port, address);
  });
  const echo = createServer({ noDelay: true }, (socket) => socket.on('error', () => {}).pipe(socket));
  const sink = createServer((socket) => socket.on('error', () => {}).resume());
  for (const server of [echo, sink]) await once(server.listen(0, host), 'listening');
  const targets = [datagrams, echo, sink].map((server) => ({
    address: host,
    port: (server.address() as AddressInfo).port,
  }));
  const endsOf = async (link: Link) => (await open(link, targets)).ends as [End, End, End];
  try {
    const [udp, tcp, segments] = await endsOf({
      ...rest,
      mbitPerS: null,
      ...(lossPercent === undefined ? {} : { lossPercent }),
    });
    const rated = mbitPerS === null ? null : await endsOf({ ...rest, mbitPerS });
    const [udpHere, tcpHere] = targets as [End, End];
    const waitMs = rest.roundTripMs + graceMs;
    const UDP = {
      addedMs: addedMs(
        await ping(dialUdp(udpHere), extent.pings, waitMs),
        await ping(dialUdp(udp), extent.pings, waitMs),
      ),
      ...(await loseDatagrams(udp, datagrams, extent.packets, waitMs)),
      mbitPerS: rated && (await fastest(() => rateOfDatagrams(rated[0], datagrams, mbitPerS as number))),
    };
    const TCP = {
      addedMs: addedMs(
        await ping(dialTcp(tcpHere), extent.pings, waitMs),
        await ping(dialTcp(tcp), extent.pings, waitMs),
      ),
      ...(await loseSegments(segments, accepted, extent, waitMs)),
      mbitPerS: rated && (await fastest(() => rateOfSegments(rated[2], accepted))),
    };
    return { UDP, TCP };
  } finally {
    datagrams.close();
    echo.close();
    sink.close();
  }

  async function accepted(end: End): Promise<[Socket, Socket]> {
    const arriving = once(sink, 'connection') as Promise<[Socket]>;
    const client = connect({ host: end.address, port: end.port, noDelay: true });
    const [[server]] = await Promise.all([arriving, once(client, 'connect')]);
    return [client, server];
  }
}

async function bindUdp(): Promise<UdpSocket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4_000_000 });
  await once(socket.bind(0, host), 'listening');
  return socket;
}

/** A socket that sends messages of one ping each, and hears those that come back. */
type Line = {
  send(bytes: Buffer): void;
  hear(listener: (bytes: Buffer) => void): void;
  close(): void;
};

async function dialUdp({ address, port }: End): Promise<Line> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4_000_000 });
  socket.connect(port, address);
  await once(socket, 'connect');
  return {
    send: (bytes) => socket.send(bytes),
    hear: (listener) => void socket.on('message', listener),
    close: () => void socket.close(),
  };
}

async function dialTcp({ address, port }: End): Promise<Line> {
  const socket = connect({ host: address, port, noDelay: true });
  await once(socket, 'connect');
  return {
    send: (bytes) => void socket.write(bytes),
    hear: (listener) => void socket.on('data', listener),
    close: () => void socket.destroy(),
  };
}

/** Round trips in ms, of those that came back in time. */
async function ping(dialing: Promise<Line>, pings: number, waitMs: number): Promise<number[]> {
  const line = await dialing;
  let heard = (_: number) => {};
  line.hear((bytes) => heard(bytes.readUInt32BE(bytes.length - pingBytes)));
  const times: number[] = [];
  for (let nth = 0; nth < pings; nth++) {
    const bytes = Buffer.alloc(pingBytes);
    bytes.writeUInt32BE(nth);
    const answered = Promise.withResolvers<void>();
    heard = (which) => {
      if (which !== nth) return;
      times.push(performance.now() - fromMs);
      answered.resolve();
    };
    const fromMs = performance.now();
    line.send(bytes);
    await Promise.race([answered.promise, pause(waitMs)]);
  }
  line.close();
  return times;
}

type Losses = Pick<PathFigures, 'packets' | 'lost'>;

/** A few at a time, so that no socket is full. */
const atOnce = 20;

async function loseDatagrams(end: End, server: UdpSocket, packets: number, waitMs: number): Promise<Losses> {
  const line = await dialUdp(end);
  let [arrived, returned] = [0, 0];
  const arrive = () => {
    arrived++;
  };
  server.on('message', arrive);
  line.hear(() => {
    returned++;
  });
  for (let sent = 0; sent < packets; sent++) {
    line.send(Buffer.alloc(pingBytes));
    if (sent % atOnce === 0) await pause(1);
  }
  await pause(waitMs);
  server.off('message', arrive);
  line.close();
  return { packets: packets + arrived, lost: packets - returned };
}

const chunk = Buffer.alloc(128 * 1024);

async function loseSegments(
  end: End,
  accept: (end: End) => Promise<[Socket, Socket]>,
  { packets, longestMs }: Extent,
  waitMs: number,
): Promise<Losses> {
  const [client, server] = await accept(end);
  const settle = async () => {
    await untilAsync(
      async () => countSegments(client),
      ({ unacked }) => unacked === 0,
    );
    await pause(waitMs);
    return [countSegments(client), countSegments(server)] as const;
  };
  const before = await settle();
  const untilMs = performance.now() + longestMs;
  const sent = () => server.bytesRead / fullBytes.TCP;
  while (sent() < packets && performance.now() < untilMs) {
    client.write(chunk);
    const expected = client.bytesWritten;
    while (server.bytesRead < expected) await once(server, 'data');
  }
  const after = await settle();
  client.destroy();
  server.destroy();
  const count = (of: 'segsOut' | 'segsIn') =>
    after.reduce((sum, end, at) => sum + end[of] - (before[at]?.[of] ?? 0), 0);
  return { packets: count('segsOut'), lost: count('segsOut') - count('segsIn') };
}

/** The fastest of three: a machine that is busy sends in bursts, which a queue drops, or reads late. */
async function fastest(measure: () => Promise<number>): Promise<number> {
  return Math.max(await measure(), await measure(), await measure());
}

/** More than the rate lets pass, each packet full. */
async function rateOfDatagrams(end: End, server: UdpSocket, mbitPerS: number): Promise<number> {
  const line = await dialUdp(end);
  const arrivals: number[] = [];
  const arrive = () => void arrivals.push(performance.now());
  server.on('message', arrive);
  const perMs = (1.3 * mbitPerS * 1000) / 8 / (fullBytes.UDP + headerBytes.UDP);
  const fromMs = performance.now();
  for (let [sent, nowMs] = [0, fromMs]; nowMs < fromMs + rateMs; nowMs = performance.now()) {
    for (; sent < (nowMs - fromMs) * perMs; sent++) line.send(Buffer.alloc(fullBytes.UDP));
    await pause(1);
  }
  server.off('message', arrive);
  line.close();
  const ms = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
  return mbitOf((arrivals.length - 1) * (fullBytes.UDP + headerBytes.UDP), ms);
}

async function rateOfSegments(end: End, accept: (end: End) => Promise<[Socket, Socket]>): Promise<number> {
  const [client, server] = await accept(end);
  const fill = () => {
    while (client.write(chunk));
  };
  client.on('drain', fill);
  fill();
  // After slow start.
  await pause(rateMs / 2);
  await once(server, 'data');
  const [bytes, fromMs] = [server.bytesRead, performance.now()];
  await pause(rateMs);
  await once(server, 'data');
  const payload = server.bytesRead - bytes;
  const ms = performance.now() - fromMs;
  client.destroy();
  server.destroy();
  return mbitOf((payload * (fullBytes.TCP + headerBytes.TCP)) / fullBytes.TCP, ms);
}

function mbitOf(bytes: number, ms: number): number {
  return (bytes * 8) / ms / 1000;
}

type Segments = { segsOut: number; segsIn: number; retransmits: number; unacked: number };

/** Counters from the kernel's `tcp_info`. */
export function countSegments({ localPort, remotePort, localAddress }: Socket): Segments {
  const filter = `src ${localAddress} and sport = :${localPort} and dport = :${remotePort}`;
  const line = execFileSync('ss', ['-tinH', filter], { encoding: 'utf8' });
  const figure = (pattern: RegExp) => Number(pattern.exec(line)?.[1] ?? 0);
  return {
    segsOut: figure(/\bsegs_out:(\d+)/),
    segsIn: figure(/\bsegs_in:(\d+)/),
    retransmits: figure(/\bretrans:\d+\/(\d+)/),
    unacked: figure(/\bunacked:(\d+)/),
  };
}
