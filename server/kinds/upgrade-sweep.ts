import type { Upgrade } from '../measurement/kind.ts';
import { isRecord } from '../text/is-record.ts';
import { nameTwins } from './upgrade-twins.ts';

export const sweepUpgraders: Record<number, Upgrade> = {
  // Schema 2 tells of levels what only the visits know.
  1: (earlier) => ({ ...earlier, levels: [] }),
  // Schema 3 tells which cores generator and target were pinned to.
  2: (earlier) => ({ ...earlier, placement: null }),
  // Schema 4 calls the twin a twin.
  3: (earlier) => ({ ...earlier, cells: listOf(earlier.cells).map(nameTwinsOfCell) }),
};

export const sizesUpgraders: Record<number, Upgrade> = {
  // Schema 2 tells which cores generator and target were pinned to.
  1: (earlier) => ({ ...earlier, placement: null }),
  // Schema 3 tells on which launch each round was measured. Before, there was one: the default.
  2: (earlier) => earlier,
  // Schema 4 calls the twin a twin.
  3: nameTwins,
};

function nameTwinsOfCell(result: unknown): unknown {
  if (!isRecord(result)) return result;
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, nameTwins(value)]));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
