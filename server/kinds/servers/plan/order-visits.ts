import { type CellGroup, groupCells } from '../../../../shared/kinds/servers/plan/group-cells.ts';
import type { ServersCell } from '../../../../shared/kinds/servers/servers.ts';
import { drawsOf, shuffle } from '../../../method/statistics/random.ts';

/** Round after round, each group once, in random order, as are its cells. The order is the seed's. */
export function* orderVisits(
  cells: readonly ServersCell[],
  rounds: number,
  seed: number,
): Generator<{ round: number; group: CellGroup; cells: ServersCell[] }> {
  const draw = drawsOf(seed);
  for (let round = 0; round < rounds; round++) {
    for (const group of shuffle(groupCells(cells), draw)) {
      yield { round, group, cells: shuffle(group.cells, draw) };
    }
  }
}
