import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { linkNames } from '../../../shared/kinds/comparison/link-names.ts';
import { linkProfiles } from '../../../shared/kinds/comparison/link-text.ts';
import type { RelayTarget } from '../../drive/link/relay.ts';
import { type Links, startLinks } from '../../drive/link/start-links.ts';
import { startRelay } from '../../drive/link/start-relay.ts';
import { summariseAdded } from '../../method/statistics/added-delay.ts';
import { quantile } from '../../method/statistics/quantile.ts';
import type { Figure } from '../figure.ts';

const pingsMs = 6000;
/** Two seconds of the relay's rate. */
const bytes = 50_000_000;
const host = '127.0.0.1';
const of = { bench: 'remote', range: null, atMost: null };

/** What links add beyond what they are asked for, and whether large answers, losses, and a rate are as asked. */
export async function measureLinks(): Promise<Figure[]> {
  const links = await startLinks();
  const echo = await listen((socket) => socket.pipe(socket));
  const zeros = await listen((socket) =>
    socket.once('data', (asked) => socket.write(zerosOf(String(asked)))),
  );
  try {
    const { readBy } = await links.open(linkProfiles.lan, [echo.target]);
    const { name } = await readBy();
    await links.close();
    return [
      ...(await measureAdded(links, echo.target, name)),
      ...(name === 'relay' ? [] : await measureFlights(links, zeros.target)),
      ...(name === 'relay' ? [] : await measureLosses(links, zeros.target)),
      ...(await measureRate(links, zeros.target, name)),
      ...(await sendThroughRelay(echo.target)),
    ];
  } finally {
    await links.stop();
    for (const { close } of [echo, zeros]) close();
  }
}

async function measureAdded(links: Links, target: RelayTarget, by: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of linkNames) {
    const { roundTripMs } = linkProfiles[name];
    const { readAddedMs } = await links.open(linkProfiles[name], [target]);
    await pause(pingsMs);
    const added = summariseAdded(await readAddedMs());
    await links.close();
    if (added === null) continue;
    figures.push({
      ...{ bench: 'remote', figure: `${by}, ${name}: round trip beyond ${roundTripMs} ms`, unit: 'ms' },
      value: added.median - roundTripMs,
      range: [added.p5 - roundTripMs, added.p95 - roundTripMs],
      atMost: 0.2,
    });
  }
  return figures;
}

/** Of 1,500 bytes, less the headers of IPv4 and TCP with its timestamps. */
const segment = 1448;
const times = 11;

/** From the beginning of a connection to the last byte of an answer, around the ends of the first flights. */
async function measureFlights(links: Links, target: RelayTarget): Promise<Figure[]> {
  const link = { ...linkProfiles.continent, congestionControl: 'cubic' };
  const { ends } = await links.open(link, [target]);
  const figures: Figure[] = [];
  for (const size of [1, 10 * segment, 10 * segment + 1, 30 * segment, 30 * segment + 1]) {
    const ms: number[] = [];
    while (ms.length < times) ms.push((await ask(ends[0] as RelayTarget, size)).lastMs);
    figures.push({
      ...{ ...of, figure: `kernel, 40 ms, cubic: last of ${size} bytes`, unit: 'ms' },
      value: quantile(ms, 0.5),
      range: [Math.min(...ms), Math.max(...ms)],
    });
  }
  await links.close();
  return figures;
}

async function measureLosses(links: Links, target: RelayTarget): Promise<Figure[]> {
  const { ends, readBy } = await links.open({ roundTripMs: 1, mbitPerS: null, lossPercent: 1 }, [target]);
  for (let i = 0; i < times; i++) await ask(ends[0] as RelayTarget, 8_000_000);
  const by = await readBy();
  await links.close();
  if (by.name === 'relay') return [];
  const figure = `kernel, 1 % loss: lost of ${by.packets} packets`;
  return [{ ...of, figure, value: (100 * by.lost) / by.packets, unit: '%' }];
}

/** Of an answer's last three quarters. */
async function measureRate(links: Links, target: RelayTarget, by: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const mbitPerS of [20, 100]) {
    const size = mbitPerS * 250_000;
    const link: Link = { roundTripMs: 20, mbitPerS };
    const { ends } = await links.open(link, [target]);
    const { quarterMs, lastMs } = await ask(ends[0] as RelayTarget, size);
    await links.close();
    const value = (0.75 * size * 8) / 1000 / (lastMs - quarterMs);
    figures.push({ ...of, figure: `${by}: rate reached of ${mbitPerS} Mbit/s`, value, unit: 'Mbit/s' });
  }
  return figures;
}

/** On a connection of its own. When a quarter of the answer was there, and all of it. */
async function ask(end: RelayTarget, size: number): Promise<{ quarterMs: number; lastMs: number }> {
  const fromMs = performance.now();
  const socket = connect({ host: end.address, port: end.port, noDelay: true });
  socket.write(`${size}`);
  let got = 0;
  let quarterMs = 0;
  for await (const read of socket as AsyncIterable<Buffer>) {
    got += read.length;
    if (quarterMs === 0 && got >= size / 4) quarterMs = performance.now() - fromMs;
    if (got === size) break;
  }
  return { quarterMs, lastMs: performance.now() - fromMs };
}

function zerosOf(size: string): Buffer {
  return Buffer.alloc(Number(size));
}

/** There and back, so that both directions carry the rate. */
async function sendThroughRelay(target: RelayTarget): Promise<Figure[]> {
  const relay = await startRelay('a bench asks for it');
  const { ends } = await relay.open({ roundTripMs: 5, mbitPerS: 200 }, [target]);
  const sent = randomBytes(bytes);
  const socket = connect({ port: ends[0]?.port ?? 0, host, allowHalfOpen: true });
  const hash = createHash('sha256');
  let got = 0;
  socket.on('data', (read: Buffer) => {
    hash.update(read);
    got += read.length;
  });
  const fromMs = performance.now();
  socket.end(sent);
  await once(socket, 'end');
  const seconds = (performance.now() - fromMs) / 1000;
  await relay.stop();
  const isSame = hash.digest('hex') === createHash('sha256').update(sent).digest('hex');
  return [
    {
      ...of,
      figure: 'relay, 200 Mbit/s: bytes lost or changed',
      value: isSame ? 0 : bytes - got || 1,
      unit: 'bytes',
      atMost: 0,
    },
    {
      ...of,
      figure: 'relay, 200 Mbit/s: rate reached',
      value: (8 * bytes) / 1e6 / seconds,
      unit: 'Mbit/s',
    },
  ];
}

async function listen(answer: (socket: Socket) => unknown): Promise<{ target: RelayTarget; close(): void }> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    answer(socket);
  }).listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { target: { address: host, port }, close: () => server.close() };
}
