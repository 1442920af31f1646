import { movedTo } from '../../../shared/base/estimate-arithmetic.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { CarriedBy } from '../../../shared/kinds/comparison/link.ts';
import {
  type ConnectionName,
  connectionNames,
  type DistanceFacts,
  type DistanceRequest,
  type DistanceRow,
} from '../../../shared/kinds/distance/distance.ts';
import type { MeasuringPhase } from '../../../shared/measurement/measurement.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import { summariseAdded } from '../../method/statistics/estimates.ts';
import { median, medianInterval } from '../../method/statistics/intervals.ts';
import { drawsOf, shuffle } from '../../method/statistics/random.ts';

/** One kind of connection on one link; on none where `link` is null. */
export type DistanceVisit = { connection: ConnectionName; link: number | null };

/** Timed in a visit, one after another. */
export const connectionsOfVisit = 2;

/** Round trips of TLS 1.2, which needs the most. */
const mostRoundTrips = 4;
/** Time per connection on top of the path: handshake, process and session, on a slow machine. */
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

/** Longest time of a connection on a link, in ms. */
export function longestOf(roundTripMs: number): number {
  return mostRoundTrips * roundTripMs + workMs;
}

/** Places nearer than these cannot be distinguished: the machine's own noise is larger. */
const fewestPlaces = 2;

/**
 * Slope of the least-squares line through (round trip, time): how many round trips the time has. Null with fewer than two
 * places, or where they are all alike.
 * @param roundTripsMs of each place
 * @param timesMs null where there is none
 */
function slopeOf(roundTripsMs: readonly number[], timesMs: readonly (number | null)[]): number | null {
  const points = roundTripsMs.flatMap((x, index) => {
    const y = timesMs[index] ?? null;
    return y === null ? [] : [{ x, y }];
  });
  if (points.length < fewestPlaces) return null;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (spread === 0) return null;
  return points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

type Notes = {
  flights: number;
  reason: string | null;
  /** Per finished round: the median connection without a link, then on each link; null if it failed. */
  rounds: Times[];
};

/** All that was measured so far, and what it comes to. */
export class DistanceNotes {
  readonly #request: Pick<DistanceRequest, 'links' | 'rounds'>;
  readonly #rows = new Map<ConnectionName, Notes>(
    connectionNames.map((name) => [name, { flights: 0, reason: null, rounds: [] }]),
  );
  /** Delay that each link added to pings, in ms. */
  readonly #addedMs: number[][];
  readonly #by: (CarriedBy | undefined)[];
  #open: Map<ConnectionName, (number | null)[]> = new Map();
  #roundsDone = 0;

  constructor(request: Pick<DistanceRequest, 'links' | 'rounds'>) {
    this.#request = request;
    this.#addedMs = request.links.map(() => []);
    this.#by = request.links.map(() => undefined);
  }

  /** Notes the carrier of a link, and all delays that it has added to pings so far, in ms. */
  addLink(link: number, by: CarriedBy, addedMs: number[]): void {
    this.#by[link] = by;
    this.#addedMs[link] = addedMs;
  }

  isUsable(connection: ConnectionName): boolean {
    return this.#of(connection).reason === null;
  }

  /** @param flights of its handshake; 0 without TLS */
  prepared(connection: ConnectionName, flights: number): void {
    this.#of(connection).flights = flights;
  }

  refuse(connection: ConnectionName, reason: string): void {
    this.#of(connection).reason ??= reason;
  }

  add({ connection, link }: DistanceVisit, timesMs: readonly number[]): void {
    const places = this.#open.get(connection) ?? Array.from(this.#request.links, () => null).concat(null);
    places[link === null ? 0 : link + 1] = median(timesMs);
    this.#open.set(connection, places);
  }

  endRound(): void {
    for (const connection of connectionNames)
      this.#of(connection).rounds.push(this.#open.get(connection) ?? []);
    this.#open = new Map();
    this.#roundsDone++;
  }

  summarise(): Omit<DistanceFacts, 'seed'> {
    const links = this.#request.links.map((link, index) => ({
      ...link,
      added: summariseAdded(this.#addedMs[index] ?? []),
      ...(this.#by[index] === undefined ? {} : { by: this.#by[index] }),
    }));
    return {
      plan: {
        rounds: this.#roundsDone,
        roundsPlanned: this.#request.rounds,
        connections: connectionsOfVisit,
      },
      links,
      rows: connectionNames.map((name) => this.#row(name)),
      warnings: [],
    };
  }

  #row(connection: ConnectionName): DistanceRow {
    const { flights, reason, rounds } = this.#of(connection);
    const roundTripsMs = this.#request.links.map(
      ({ roundTripMs }, index) => summariseAdded(this.#addedMs[index] ?? [])?.median ?? roundTripMs,
    );
    const plain = this.#of('tcp').rounds;
    const placeAt = (place: number) => {
      const known = rounds.flatMap((round) => round[place] ?? []);
      const more =
        connection === 'tcp'
          ? []
          : rounds.flatMap((round, index) => longerThan(round[place], plain[index]?.[place]));
      const [ms, overTcpMs] = [medianInterval(known), medianInterval(more)];
      const tcp = medianInterval(plain.flatMap((round) => round[place] ?? []));
      return {
        connections: known.length * connectionsOfVisit,
        // A reader who subtracts the time of TCP gets the difference that is printed.
        ms:
          ms === null || tcp === null || overTcpMs === null ? ms : movedTo(ms, tcp.center + overTcpMs.center),
        overTcpMs,
      };
    };
    return {
      connection,
      flights,
      expected: reason === null ? roundTripsOf(flights) : null,
      here: { ...placeAt(0), roundTrips: null },
      places: roundTripsMs.map((roundTripMs, index) => ({
        ...placeAt(index + 1),
        roundTrips: medianInterval(
          rounds.flatMap((round) => longerThan(round[index + 1], round[0])).map((ms) => ms / roundTripMs),
        ),
      })),
      slope: medianInterval(rounds.flatMap((round) => slopeOf([0, ...roundTripsMs], round) ?? [])),
      reason,
    };
  }

  #of(connection: ConnectionName): Notes {
    return this.#rows.get(connection) as Notes;
  }
}

type Times = readonly (number | null)[];

/** How much longer one took than another of the same round, in ms; empty where one of them failed. */
function longerThan(time: number | null | undefined, other: number | null | undefined): number[] {
  return time == null || other == null ? [] : [time - other];
}

/**
 * TCP's, the handshake's and the request's. The client sends its request with its last flight, or after the server's where
 * that comes last: three flights are one round trip, and four are two.
 */
export function roundTripsOf(flights: number): number {
  return 1 + Math.floor(flights / 2) + 1;
}
