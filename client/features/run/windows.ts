import type { ShownBlock } from '../../../shared/kinds/comparison/shown-run.ts';
import { printPercent } from '../../format/percent.ts';

export type WindowCount = { measured: number; aside: number };

export function countWindows(blocks: readonly Pick<ShownBlock, 'windows'>[]): WindowCount {
  return addWindows(
    blocks.map(({ windows }) => ({
      measured: windows.length,
      aside: windows.filter(({ aside }) => aside).length,
    })),
  );
}

export function addWindows(counts: readonly WindowCount[]): WindowCount {
  return {
    measured: counts.reduce((sum, { measured }) => sum + measured, 0),
    aside: counts.reduce((sum, { aside }) => sum + aside, 0),
  };
}

/** `6.3 % of windows set aside`; null when there were no windows to set aside. */
export function asideInWords({ measured, aside }: WindowCount): string | null {
  if (measured === 0) return null;
  return aside === 0 ? 'no window set aside' : `${printPercent(aside / measured, 2)} of windows set aside`;
}
