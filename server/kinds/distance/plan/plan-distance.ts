import { problem } from '../../../../shared/base/problem.ts';
import {
  type ConnectionName,
  connectionNames,
  type DistanceRequest,
} from '../../../../shared/kinds/distance/distance.ts';
import type { MeasuringPhase } from '../../../../shared/measurement/cells-progress.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';
import { drawsOf, shuffle } from '../../../method/statistics/random.ts';

/** One kind of connection on one link; on none where `link` is null. */
export type DistanceVisit = { connection: ConnectionName; link: number | null };

/** Timed in a visit, one after another. */
export const connectionsOfVisit = 2;

/** As many as TLS 1.2 takes, the most of all. */
const mostRoundTrips = 4;
/** Of each connection, on top of the path: handshake, process and session, on a slow machine. */
const workMs = 15;
const longestS = 900;

/** Every round visits all, in an order of its own. Throws lab_impossible for what would take too long. */
export function planDistance({ links, rounds }: DistanceRequest, seed: number): DistanceVisit[][] {
  const seconds = distanceS({ links, rounds });
  if (seconds > longestS)
    throw problem(
      'lab_impossible',
      `${rounds} rounds over these links take about ${Math.ceil(seconds / 60)} minutes, more than ${longestS / 60}. Use fewer rounds or shorter links.`,
    );
  const visits = [null, ...links.keys()].flatMap((link) =>
    connectionNames.map((connection): DistanceVisit => ({ connection, link })),
  );
  const draw = drawsOf(seed);
  return Array.from({ length: rounds }, () => shuffle(visits, draw));
}

/** About how long it takes. */
function distanceS({ links, rounds }: Pick<DistanceRequest, 'links' | 'rounds'>): number {
  const perConnection = [0, ...links.map(({ roundTripMs }) => roundTripMs)].map((ms) => longestOf(ms));
  const roundMs =
    perConnection.reduce((sum, ms) => sum + ms, 0) * connectionNames.length * connectionsOfVisit;
  return (rounds * roundMs) / 1000;
}

/** Starting the servers, the client and the links. */
const prepareS = 3;

export function distancePhases({ links, rounds }: DistanceRequest): Phase<MeasuringPhase>[] {
  const steps = (links.length + 1) * connectionNames.length;
  return [
    { name: 'preparing', seconds: prepareS, steps },
    { name: 'measuring', seconds: distanceS({ links, rounds }), steps, rounds },
  ];
}

/** What a connection takes at most on a link, in ms. */
export function longestOf(roundTripMs: number): number {
  return mostRoundTrips * roundTripMs + workMs;
}
