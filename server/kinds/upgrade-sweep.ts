import type { Upgrade } from '../measurement/kind.ts';

export const sweepUpgraders: Record<number, Upgrade> = {
  // Schema 2 tells of levels what only the visits know.
  1: (earlier) => ({ ...earlier, levels: [] }),
};
