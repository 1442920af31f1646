import type { RoundTrip } from '../../../shared/path.ts';
import { quantile } from '../../statistics/quantile.ts';
import { CheckBudget } from '../check-budget.ts';
import type { Dialer } from './dialer.ts';

const mostConnections = 7;

/** So many are opened for it at the most, fewer where the target bears few. */
export function roundTripConnections(budget: CheckBudget | null): number {
  return budget === null ? 0 : Math.min(mostConnections, CheckBudget.handshakes(budget));
}

/** From how long the dialer's connections took to open, with as many more as are missing. Null on this machine. Throws an Obstacle. */
export async function measureRoundTrip(dialer: Dialer): Promise<RoundTrip | null> {
  const { connectTimesUs, budget } = dialer;
  if (budget === null) return null;
  while (connectTimesUs.length < roundTripConnections(budget)) (await dialer.connect()).destroy();
  return {
    connections: connectTimesUs.length,
    minimumUs: Math.min(...connectTimesUs),
    medianUs: quantile(connectTimesUs, 0.5),
  };
}
