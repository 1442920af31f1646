import { type SideName, sideNames } from '../../../../shared/base/transport.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import type { Path } from '../../../../shared/kinds/comparison/path.ts';
import type { RunFacts } from '../../../../shared/kinds/comparison/run.ts';
import type { LoadResult } from '../../../../shared/kinds/comparison/slot.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { isKept } from './metric-blocks.ts';

/**
 * What part of each side's latency in lockstep is the path: its round trip, from the preflight and from what a link added,
 * and how many a transaction waits for, by what the generator counted. Null where the path is loopback, or nothing was measured.
 */
export function pathOfRun(
  { preflight, link }: Pick<RunFacts, 'preflight' | 'link'>,
  blocks: readonly Block[],
  metrics: readonly MetricComparison[],
): Path | null {
  const latency = metrics.find(({ id }) => id === 'latency_p50');
  const slots = blocks.filter(({ kind }) => kind === 'lockstep').filter(isKept);
  const ofSide = (side: SideName): Path[SideName] | null => {
    const ownUs = preflight?.sides[side].roundTrip?.minimumUs;
    const addedUs = link?.added == null ? undefined : Math.max(0, link.added.median * 1000);
    const latencyUs = latency?.[side]?.center;
    const loads = slots.flatMap((block) => block.slots.filter(({ arm }) => arm === side));
    const roundTrips = tripsOf(loads.map(({ load }) => load));
    if ((ownUs ?? addedUs) === undefined || latencyUs === undefined || roundTrips === null) return null;
    return { roundTripUs: (ownUs ?? 0) + (addedUs ?? 0), roundTrips, latencyUs };
  };
  const [baseline, comparison] = sideNames.map(ofSide);
  return baseline && comparison ? { baseline, comparison } : null;
}

/** One for each request and each new connection, and those of each handshake; null without a transaction. */
function tripsOf(loads: readonly LoadResult[]): number | null {
  const transactions = sumOf(loads.map(({ succeeded }) => succeeded));
  if (transactions === 0) return null;
  const trips = loads.map(
    ({ requests, connectionsOpened, handshakesFull, handshakesResumed, negotiated }) =>
      requests +
      connectionsOpened +
      handshakesResumed +
      handshakesFull * (negotiated?.protocol === 'TLSv1.2' ? 2 : 1),
  );
  return sumOf(trips) / transactions;
}
