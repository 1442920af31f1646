import { drawNumber, type Random, seedRandom, shuffle } from '../../../method/statistics/random.ts';

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
  let random = seedRandom(seed);
  for (let round = 0; round < rounds; round++) {
    const order = drawOrder(pairs, random);
    random = order.next;
    const baseline: Visit = { cell: 'baseline', connections: share(most, round, rounds) };
    const visits = order.value.map((cell) => ({
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

function drawOrder(pairs: readonly (readonly number[])[], random: Random): { value: number[]; next: Random } {
  const shuffled = shuffle(pairs, random);
  let { next } = shuffled;
  const value = shuffled.value.flatMap((pair) => {
    const drawn = drawNumber(next);
    next = drawn.next;
    return drawn.value < 0.5 ? pair : pair.toReversed();
  });
  return { value, next };
}

/** Parts that differ by one at most, and add up. */
function share(total: number, index: number, of: number): number {
  return Math.floor(((index + 1) * total) / of) - Math.floor((index * total) / of);
}
