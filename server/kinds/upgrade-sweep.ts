import type { Upgrade } from '../measurement/kind.ts';

export const sweepUpgraders: Record<number, Upgrade> = {
  // Schema 2 tells of levels what only the visits know.
  1: (earlier) => ({ ...earlier, levels: [] }),
  // Schema 3 tells which cores generator and target were pinned to.
  2: (earlier) => ({ ...earlier, placement: null }),
};

export const sizesUpgraders: Record<number, Upgrade> = {
  // Schema 2 tells which cores generator and target were pinned to.
  1: (earlier) => ({ ...earlier, placement: null }),
  // Schema 3 tells on which launch each round was measured. Before, there was one: the default.
  2: (earlier) => earlier,
};
