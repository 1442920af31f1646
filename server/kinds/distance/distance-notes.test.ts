/** Protects what is made of times at a distance: round trips from flights and from slopes, and pairs within a round. Values are worked out by hand. */

import { expect, test } from 'vitest';
import {
  type ConnectionName,
  connectionNames,
  distanceRequestSchema,
} from '../../../shared/kinds/distance/distance.ts';
import { distanceOptions } from '../../../shared/kinds/distance/options.ts';
import { parseKind } from '../../edge/commands/measure-kind.ts';
import { printCommand } from '../define-kind.ts';
import { DistanceNotes, planDistance, roundTripsOf } from './distance-notes.ts';

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

/** Protects the plan of distances: every round visits everything once, and what would take too long is refused. */

const requestOf = (asked: object = {}) => distanceRequestSchema.parse({ kind: 'distance', ...asked });

test('every round visits each connection on each link and on none, in an order of its own', () => {
  const rounds = planDistance(requestOf(), 7);
  expect(rounds).toHaveLength(12);
  const words = rounds.map((visits) => visits.map(({ connection, link }) => `${connection} ${link}`));
  const all = [null, 0, 1, 2, 3].flatMap((link) => connectionNames.map((name) => `${name} ${link}`));
  for (const each of words) expect(each.toSorted()).toEqual(all.toSorted());
  expect(new Set(words.map((each) => each.join())).size).toBe(12);
  expect(planDistance(requestOf(), 7)).toEqual(rounds);
});

test('what would take more than 15 minutes is refused, with what to change', () => {
  const request = requestOf({ links: ['2000ms', '1900ms'], rounds: 100 });
  expect(() => planDistance(request, 7)).toThrow(
    /^100 rounds over these links take about \d+ minutes, more than 15\. Use fewer rounds or shorter links\.$/,
  );
});

test.each([
  [{ links: [] }, /links/],
  [{ links: ['metro', '5ms'] }, /each link is named once/],
  [{ links: ['2001ms'] }, /not 2001/],
  [{ links: ['10000ms'] }, /not 10000/],
  [{ rounds: 5 }, /rounds/],
])('%j is refused', (asked, message) => {
  const issues = JSON.stringify(
    distanceRequestSchema.safeParse({ kind: 'distance', ...asked }).error?.issues,
  );
  expect(issues).toMatch(message);
});

test.each([[{}], [{ links: ['metro', '25ms,50mbit', '0.5ms'], rounds: 20 }]])(
  'the command of %j asks for the same again',
  (asked) => {
    const request = requestOf({ ...asked, seed: 9 });
    const words = printCommand('distance', distanceOptions, { ...request, seed: 9 })
      .replace('npx tls-toll distance ', '')
      .split(' ');
    expect(parseKind('distance', distanceRequestSchema, words).request).toEqual(request);
  },
);

test('links may be separated by commas, before and after one with a rate', () => {
  const { links } = parseKind('distance', distanceRequestSchema, [
    '--links',
    'lan,25ms,50mbit,metro',
  ]).request;
  expect(links.map(({ roundTripMs, mbitPerS }) => [roundTripMs, mbitPerS])).toEqual([
    [0.2, null],
    [25, 50],
    [5, null],
  ]);
});
