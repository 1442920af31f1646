import type { CarriedBy } from '../../../../shared/kinds/comparison/link.ts';
import {
  type ConnectionName,
  connectionNames,
  type DistanceFacts,
  type DistanceRequest,
  type DistanceRow,
} from '../../../../shared/kinds/distance/distance.ts';
import { summariseAdded } from '../../../method/statistics/added-delay.ts';
import { medianInterval } from '../../../method/statistics/median-interval.ts';
import { median } from '../../../method/statistics/quantile.ts';
import { connectionsOfVisit, type DistanceVisit } from '../plan/plan-distance.ts';
import { slopeOf } from './slope.ts';

type Notes = {
  flights: number;
  reason: string | null;
  /** Of each round that is over: the median connection without a link, then on each link; null where it failed. */
  rounds: Times[];
};

/** All that was measured so far, and what it comes to. */
export class DistanceNotes {
  readonly #request: Pick<DistanceRequest, 'links' | 'rounds'>;
  readonly #rows = new Map<ConnectionName, Notes>(
    connectionNames.map((name) => [name, { flights: 0, reason: null, rounds: [] }]),
  );
  /** What each link added to pings, in ms. */
  readonly #addedMs: number[][];
  readonly #by: (CarriedBy | undefined)[];
  #open: Map<ConnectionName, (number | null)[]> = new Map();
  #roundsDone = 0;

  constructor(request: Pick<DistanceRequest, 'links' | 'rounds'>) {
    this.#request = request;
    this.#addedMs = request.links.map(() => []);
    this.#by = request.links.map(() => undefined);
  }

  /** What carries a link, and all that it has added to pings so far, in ms. */
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
      return {
        connections: known.length * connectionsOfVisit,
        ms: medianInterval(known),
        overTcpMs: medianInterval(more),
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
