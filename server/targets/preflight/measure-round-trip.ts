import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { RoundTrip } from '../../../shared/kinds/comparison/path.ts';
import { quantile } from '../../method/statistics/quantile.ts';
import { CheckBudget } from '../check-budget.ts';
import type { Dialer } from './dialer.ts';

const mostConnections = 7;

/** How many are opened for it at most: fewer where the target permits few. */
export function roundTripConnections(budget: CheckBudget | null): number {
  return budget === null ? 0 : Math.min(mostConnections, CheckBudget.handshakes(budget));
}

/**
 * From how long the dialer's connections took to open, with as many more as are missing, less what one takes that goes
 * nowhere. Null on this machine. Throws a CheckProblem.
 */
export async function measureRoundTrip(dialer: Dialer): Promise<RoundTrip | null> {
  const { connectTimesUs, budget } = dialer;
  if (budget === null) return null;
  const ownUs = await connectHereUs();
  while (connectTimesUs.length < roundTripConnections(budget)) (await dialer.connect()).destroy();
  return {
    connections: connectTimesUs.length,
    minimumUs: Math.max(0, Math.min(...connectTimesUs) - ownUs),
    medianUs: Math.max(0, quantile(connectTimesUs, 0.5) - ownUs),
  };
}

/** What opening a connection takes by itself: on loopback, the shortest of as many. */
async function connectHereUs(): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const timesUs: number[] = [];
  for (let connection = 0; connection < mostConnections; connection++) {
    const fromMs = performance.now();
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    timesUs.push((performance.now() - fromMs) * 1000);
    socket.destroy();
  }
  server.close();
  return Math.min(...timesUs);
}
