import { type CellGroup, groupCells } from '../../../../shared/kinds/servers/plan/group-cells.ts';
import type { ServersCell } from '../../../../shared/kinds/servers/servers.ts';
import { type Random, seedRandom, shuffle } from '../../../method/statistics/random.ts';

/** Round after round, each group once, in random order, as are its cells. The order is the seed's. */
export function* orderVisits(
  cells: readonly ServersCell[],
  rounds: number,
  seed: number,
): Generator<{ round: number; group: CellGroup; cells: ServersCell[] }> {
  let random: Random = seedRandom(seed);
  for (let round = 0; round < rounds; round++) {
    const groups = shuffle(groupCells(cells), random);
    random = groups.next;
    for (const group of groups.value) {
      const shuffled = shuffle(group.cells, random);
      random = shuffled.next;
      yield { round, group, cells: shuffled.value };
    }
  }
}
