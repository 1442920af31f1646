import { type Draw, drawsOf, shuffle } from '../../../method/statistics/random.ts';

/** One stay at a cell, by its index, or at the baseline; so many connections, one after the other. */
export type Visit = { cell: number | 'baseline'; connections: number };

/** Visits between two of the baseline. Whatever drifts moves both; the nearer, the less it can do between them. */
const stretch = 4;

/**
 * Every round visits every cell once, the baseline first, last and after every few cells in between. Pairs of cells
 * that differ in resumption alone follow one another, which of them first is drawn anew.
 * @param pairs indices of the cells that belong together
 * @param connectionsOf of each cell, in all rounds together
 */
export function planRounds(
  pairs: readonly (readonly number[])[],
  connectionsOf: readonly number[],
  { rounds, seed }: { rounds: number; seed: number },
): Visit[][] {
  const most = Math.max(1, ...connectionsOf);
  const planned: Visit[][] = [];
  const draw = drawsOf(seed);
  for (let round = 0; round < rounds; round++) {
    const baseline: Visit = { cell: 'baseline', connections: share(most, round, rounds) };
    const visits = drawOrder(pairs, draw).map((cell) => ({
      cell,
      connections: share(connectionsOf[cell] ?? 0, round, rounds),
    }));
    planned.push(
      visits
        .flatMap((visit, index) => (index % stretch === 0 ? [baseline, visit] : [visit]))
        .concat(baseline),
    );
  }
  return planned;
}

function drawOrder(pairs: readonly (readonly number[])[], draw: Draw): number[] {
  return shuffle(pairs, draw).flatMap((pair) => (draw() < 0.5 ? pair : pair.toReversed()));
}

/** Parts that differ by one at most, and add up. */
function share(total: number, index: number, of: number): number {
  return Math.floor(((index + 1) * total) / of) - Math.floor((index * total) / of);
}
