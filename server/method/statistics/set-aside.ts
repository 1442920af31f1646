import type { Window } from '../../../shared/kinds/comparison/block.ts';
import { median } from './quantile.ts';

/** Of the whole machine, more than in the usual window of the block. */
const mostAboveUsual = 0.1;

/**
 * The windows of a block, those set aside in which others took more of the machine (the hypervisor and foreign programs
 * together) than in its median window, by a tenth of the machine. Decided by the machine alone, so for all arms alike, and
 * never more than half of them. A window whose machine could not be read is kept.
 */
export function setAside<Each extends MachineUse>(windows: readonly Each[]): (Each & { aside: boolean })[] {
  const known = windows.map(disturbanceOf).filter((each) => each !== null);
  const most = known.length === 0 ? Number.POSITIVE_INFINITY : median(known) + mostAboveUsual;
  return windows.map((window) => ({ ...window, aside: (disturbanceOf(window) ?? 0) > most }));
}

type MachineUse = Pick<Window, 'stealRatio' | 'foreignRatio'>;

function disturbanceOf({ stealRatio, foreignRatio }: MachineUse): number | null {
  if (stealRatio === null && foreignRatio === null) return null;
  return (stealRatio ?? 0) + (foreignRatio ?? 0);
}
