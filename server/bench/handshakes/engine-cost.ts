import { connect, TLSSocket } from 'node:tls';
import type { HandshakeCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { CellBench, sessionOf } from '../../drive/handshakes/cell-bench.ts';
import { type Contexts, connectOnce } from '../../drive/handshakes/connection.ts';
import { MemoryEnd } from '../../drive/handshakes/memory-pair.ts';
import { comparePaired } from '../../method/statistics/compare-paired.ts';
import type { Figure } from '../figure.ts';

const rounds = 30;
const connections = 40;
const most = 10;

/**
 * CPU time of the lab's visits beside a bare loop of the same handshakes: no times, nothing read back, nothing asserted.
 * They take turns, which of them first changes from round to round.
 */
export async function measureEngineCost(cells: readonly HandshakeCell[]): Promise<Figure[]> {
  const bench = new CellBench();
  const figures: Figure[] = [];
  for (const cell of cells) {
    const contexts = { client: bench.clientOf(cell), server: await bench.serverOf(cell) };
    const session =
      cell.resumption === 'full' ? null : await sessionOf((call) => connectOnce(contexts, { cell, ...call }));
    const loops = {
      lab: () => bench.visit(cell, connections),
      bare: async () => {
        // The lab has one more connection that does not count.
        for (let i = 0; i <= connections; i++) await connectBare(contexts, session);
      },
    };
    for (let i = 0; i < 5; i++) for (const loop of Object.values(loops)) await loop();
    const pairs = [];
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 === 0 ? (['lab', 'bare'] as const) : (['bare', 'lab'] as const);
      const us = { lab: 0, bare: 0 };
      for (const name of order) us[name] = await cpuUsOf(loops[name]);
      pairs.push({ a: [us.bare], b: [us.lab] });
    }
    const { ratio } = comparePaired(pairs, 'ratio');
    if (ratio === null) throw new Error('too few rounds for an interval');
    figures.push({
      bench: 'lab',
      figure: `cost over the bare loop, ${cell.version}, ${cell.resumption}`,
      value: (ratio.center - 1) * 100,
      unit: '%',
      range: [(ratio.lo - 1) * 100, (ratio.hi - 1) * 100],
      atMost: most,
    });
  }
  return figures;
}

async function cpuUsOf(loop: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await loop();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function connectBare(contexts: Contexts, session: Buffer | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const [near, far] = MemoryEnd.pair();
    const server = new TLSSocket(far, { isServer: true, secureContext: contexts.server });
    const client = connect({
      socket: near,
      secureContext: contexts.client,
      rejectUnauthorized: false,
      ...(session === null ? {} : { session }),
    });
    server.on('error', reject);
    client.on('error', reject);
    server.on('data', (read) => server.write(read));
    client.once('secureConnect', () => client.write('x'));
    client.once('data', () => {
      // As the lab does: a write that is cut off costs an error.
      setImmediate(() => {
        server.once('close', resolve);
        client.destroy();
        server.destroy();
      });
    });
  });
}
