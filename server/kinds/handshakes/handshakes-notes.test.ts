/** Protects the order in which cells are visited. */
import { expect, test } from 'vitest';
import { planRounds } from './handshakes-notes.ts';

const pairs = [[0, 1], [2, 3], [4], [5, 6], [7, 8]];
const connections = [480, 480, 480, 480, 100, 7, 480, 480, 480];

test('every round visits every cell once, and all connections are shared out', () => {
  const rounds = planRounds(pairs, connections, { rounds: 12, seed: 7 });
  const totals = connections.map(() => 0);
  for (const visits of rounds) {
    const cells = visits.flatMap(({ cell }) => (cell === 'baseline' ? [] : [cell]));
    expect(cells.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (const { cell, connections: count } of visits)
      if (cell !== 'baseline') totals[cell] = (totals[cell] ?? 0) + count;
  }
  expect(totals).toEqual(connections);
});

test('the baseline is first and last, and never more than four cells away', () => {
  for (const visits of planRounds(pairs, connections, { rounds: 5, seed: 1 })) {
    const places = visits.flatMap(({ cell }, place) => (cell === 'baseline' ? [place] : []));
    expect([places[0], places.at(-1)]).toEqual([0, visits.length - 1]);
    expect(places.slice(1).every((place, index) => place - (places[index] as number) <= 5)).toBe(true);
  }
});

test('the two of a pair follow one another, in either order', () => {
  const rounds = planRounds(pairs, connections, { rounds: 40, seed: 3 });
  const orders = rounds.map((visits) => {
    const cells = visits.flatMap(({ cell }) => (cell === 'baseline' ? [] : [cell]));
    return cells.indexOf(1) - cells.indexOf(0);
  });
  expect(new Set(orders)).toEqual(new Set([1, -1]));
});

test('the seed gives the order', () => {
  const plan = (seed: number) => planRounds(pairs, connections, { rounds: 3, seed });
  expect(plan(5)).toEqual(plan(5));
  expect(plan(5)).not.toEqual(plan(6));
});
