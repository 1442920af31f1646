import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { linkNames } from '../../../shared/kinds/comparison/link-names.ts';
import { linkProfiles } from '../../../shared/kinds/comparison/link-text.ts';
import { type Links, startLinks } from '../../drive/link/start-links.ts';
import { summariseAdded } from '../../method/statistics/added-delay.ts';
import type { Figure } from '../figure.ts';

const pingsMs = 6000;
const fast = { roundTripMs: 5, mbitPerS: 200 };
/** Two seconds of the rate. */
const bytes = 50_000_000;

/** What the relay adds beyond what it is asked for, on each profile, and what it loses at 200 Mbit/s. */
export async function measureRelay(): Promise<Figure[]> {
  const links = await startLinks();
  const { port, close } = await openEcho();
  const target = { address: '127.0.0.1', port };
  try {
    const figures: Figure[] = [];
    for (const name of linkNames) {
      const { roundTripMs } = linkProfiles[name];
      const { readAddedMs } = await links.open(linkProfiles[name], [target]);
      await pause(pingsMs);
      const added = summariseAdded(await readAddedMs());
      await links.close();
      if (added === null) continue;
      figures.push({
        ...{ bench: 'remote', figure: `relay, ${name}: round trip beyond ${roundTripMs} ms`, unit: 'ms' },
        value: added.median - roundTripMs,
        range: [added.p5 - roundTripMs, added.p95 - roundTripMs],
        atMost: 0.2,
      });
    }
    return [...figures, ...(await sendThrough(links, target))];
  } finally {
    await links.stop();
    close();
  }
}

/** There and back, so that both directions carry the rate. */
async function sendThrough(links: Links, target: { address: string; port: number }): Promise<Figure[]> {
  const { ports } = await links.open(fast, [target]);
  const sent = randomBytes(bytes);
  const socket = connect({ port: ports[0] ?? 0, host: '127.0.0.1', allowHalfOpen: true });
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
  const isSame = hash.digest('hex') === createHash('sha256').update(sent).digest('hex');
  const of = { bench: 'remote', range: null };
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
      atMost: null,
    },
  ];
}

async function openEcho(): Promise<{ port: number; close(): void }> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
