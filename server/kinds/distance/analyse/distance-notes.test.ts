/** Protects what is made of times at a distance: round trips from flights and from slopes, and pairs within a round. Values are worked out by hand. */
import { expect, test } from 'vitest';
import type { ConnectionName } from '../../../../shared/kinds/distance/distance.ts';
import { DistanceNotes, roundTripsOf } from './distance-notes.ts';

const links = [
  { roundTripMs: 10, mbitPerS: null },
  { roundTripMs: 50, mbitPerS: null },
];
const exactly = (value: number) => ({ center: value, lo: value, hi: value });

/** Times of a connection with so many round trips, and so many ms of work. */
function visitAll(notes: DistanceNotes, connection: ConnectionName, trips: number, workMs: number): void {
  for (const [place, roundTripMs] of [0, 10, 50].entries()) {
    const ms = trips * roundTripMs + workMs;
    notes.add({ connection, link: place === 0 ? null : place - 1 }, [ms, ms]);
  }
}

function rowOf(notes: DistanceNotes, connection: ConnectionName) {
  const row = notes.summarise().rows.find((each) => each.connection === connection);
  if (row === undefined) throw new Error(connection);
  return row;
}

test.each([
  ['no TLS', 0, 2],
  ['TLS 1.3', 3, 3],
  ['TLS 1.2', 4, 4],
  ['TLS 1.3 after a HelloRetryRequest', 5, 4],
])('%s with %i flights takes %i round trips', (_, flights, trips) => {
  expect(roundTripsOf(flights)).toBe(trips);
});

test('the slope is the round trips, whatever the work takes', () => {
  const notes = new DistanceNotes({ links, rounds: 6 });
  notes.prepared('tls13', 3);
  for (let round = 0; round < 6; round++) {
    visitAll(notes, 'tcp', 2, 1);
    visitAll(notes, 'tls13', 3, 4);
    notes.endRound();
  }
  const row = rowOf(notes, 'tls13');
  expect(row).toMatchObject({ flights: 3, expected: 3, reason: null });
  expect(row.slope?.center).toBeCloseTo(3, 12);
  expect(row.here.ms).toEqual(exactly(4));
  expect(row.places.map(({ ms }) => ms)).toEqual([exactly(34), exactly(154)]);
  expect(row.places.map(({ roundTrips }) => roundTrips)).toEqual([exactly(3), exactly(3)]);
  expect(row.places.map(({ overTcpMs }) => overTcpMs)).toEqual([exactly(13), exactly(53)]);
  expect(row.places.map(({ connections }) => connections)).toEqual([12, 12]);
});

test('a round trip is as long as the link made it', () => {
  const notes = new DistanceNotes({ links, rounds: 6 });
  visitAll(notes, 'tcp', 2, 0);
  notes.endRound();
  for (const [index, addedMs] of [[20], [100]].entries())
    notes.addLink(index, { name: 'relay', why: 'this is a test' }, addedMs);
  expect(rowOf(notes, 'tcp').places.map(({ roundTrips }) => roundTrips)).toEqual([exactly(1), exactly(1)]);
  expect(rowOf(notes, 'tcp').slope).toEqual(exactly(1));
});

test('what TLS adds is paired within its round, also after one that failed', () => {
  const notes = new DistanceNotes({ links, rounds: 6 });
  visitAll(notes, 'tcp', 2, 1);
  notes.endRound();
  visitAll(notes, 'tcp', 2, 100);
  visitAll(notes, 'tls12', 4, 103);
  notes.endRound();
  expect(rowOf(notes, 'tls12').places[0]?.overTcpMs).toEqual(exactly(23));
});

test('a connection that could not be negotiated says why, and has no figures', () => {
  const notes = new DistanceNotes({ links, rounds: 6 });
  notes.refuse('tls12', 'no such suite');
  notes.refuse('tls12', 'later');
  expect(notes.isUsable('tls12')).toBe(false);
  expect(rowOf(notes, 'tls12')).toMatchObject({ expected: null, reason: 'no such suite', slope: null });
});
