import type { Window } from '../../../../shared/block.ts';
import { median } from '../../../statistics/quantile.ts';

/** Of the whole machine, more than in the usual window of the block. */
const mostAboveUsual = 0.1;

/**
 * Which windows of a block are set aside: those in which others took more of the machine (the hypervisor and foreign
 * programs together) than in its median window, by a tenth of the machine. Decided by the machine alone, so for all arms
 * alike, and never more than half of them. A window whose machine could not be read is kept.
 */
export function setAside(windows: readonly Pick<Window, 'stealRatio' | 'foreignRatio'>[]): boolean[] {
  const disturbances = windows.map(disturbanceOf);
  const known = disturbances.filter((each) => each !== null);
  if (known.length === 0) return windows.map(() => false);
  const most = median(known) + mostAboveUsual;
  return disturbances.map((each) => each !== null && each > most);
}

function disturbanceOf({
  stealRatio,
  foreignRatio,
}: Pick<Window, 'stealRatio' | 'foreignRatio'>): number | null {
  if (stealRatio === null && foreignRatio === null) return null;
  return (stealRatio ?? 0) + (foreignRatio ?? 0);
}
