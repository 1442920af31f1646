import type { Turn } from '../../../shared/kinds/handshakes/handshake-samples.ts';
import type { Agreed, BothWays, HandshakeCell, Wire } from '../../../shared/kinds/handshakes/handshakes.ts';
import { type Contexts, connectOnce } from './connection.ts';
import { MemoryEnd } from './memory-pair.ts';
import { readWire } from './read-wire.ts';
import { RecordReader } from './tls-records.ts';

export type Observed = { wire: Wire; agreed: Agreed; turns: Turn[] };

/**
 * Odd, so that the middle one is a count that was seen. A random number in a ticket makes it 16 bytes shorter once in a
 * hundred times, and an ECDSA signature has one byte more or less; the middle of nine has neither.
 */
const connections = 9;

/** What goes over the wire, from a few connections beside those that are timed. */
export async function observe(
  contexts: Contexts,
  cell: HandshakeCell,
  openSession: () => Promise<Buffer | null>,
): Promise<Observed> {
  const seen: Observed[] = [];
  for (let i = 0; i < connections; i++) seen.push(await observeOnce(contexts, cell, await openSession()));
  const [first] = seen as [Observed];
  const middle = (bytes: (wire: Wire) => BothWays): BothWays => ({
    clientToServer: middleOf(seen.map(({ wire }) => bytes(wire).clientToServer)),
    serverToClient: middleOf(seen.map(({ wire }) => bytes(wire).serverToClient)),
  });
  return {
    ...first,
    wire: {
      ...first.wire,
      handshakeBytes: middle((wire) => wire.handshakeBytes),
      withTicketsBytes: middle((wire) => wire.withTicketsBytes),
    },
  };
}

async function observeOnce(
  contexts: Contexts,
  cell: HandshakeCell,
  session: Buffer | null,
): Promise<Observed> {
  const reader = new RecordReader();
  const [near, far] = MemoryEnd.pair();
  near.tap = (piece) => reader.read('client', piece);
  far.tap = (piece) => reader.read('server', piece);
  const agreed = await connectOnce(contexts, { cell: { ...cell, bytes: 1 }, session }, [near, far]);
  return { agreed, ...readWire(cell.version, reader.records) };
}

function middleOf(counts: number[]): number {
  return counts.sort((a, b) => a - b)[counts.length >> 1] ?? 0;
}
