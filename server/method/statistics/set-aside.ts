import type { Window } from '../../../shared/kinds/comparison/block.ts';
import { sumOf } from './mean.ts';
import { median } from './quantile.ts';

/** Of the whole machine, more than in the usual second of the block. */
const mostAboveUsual = 0.1;
/** The kernel tells a machine's use in steps of 10 ms: a window that is far shorter than a second is judged with those behind it. */
const judgedMs = 750;

/**
 * The windows of a block, those set aside in whose second others took more of the machine (the hypervisor, foreign programs, and
 * this one together) than in the block's median second, by a tenth of the machine. Decided by the machine alone, so for all arms
 * alike, and never more than half of the seconds. A second in which the machine could not be read is kept.
 */
export function setAside<Each extends Stretch>(windows: readonly Each[]): (Each & { aside: boolean })[] {
  const seconds = secondsOf(windows);
  const known = seconds.map(disturbanceOf).filter((each) => each !== null);
  const most = known.length === 0 ? Number.POSITIVE_INFINITY : median(known) + mostAboveUsual;
  return seconds.flatMap((second) => {
    const aside = (disturbanceOf(second) ?? 0) > most;
    return second.map((window) => ({ ...window, aside }));
  });
}

type Stretch = Pick<Window, 'elapsedMs' | 'stealRatio' | 'foreignRatio' | 'oursRatio'>;

/** What is left at the end belongs to the last of them. */
function secondsOf<Each extends Stretch>(windows: readonly Each[]): Each[][] {
  const seconds: Each[][] = [];
  let elapsedMs = judgedMs;
  for (const window of windows) {
    if (elapsedMs >= judgedMs) {
      seconds.push([]);
      elapsedMs = 0;
    }
    seconds.at(-1)?.push(window);
    elapsedMs += window.elapsedMs;
  }
  const rest = elapsedMs < judgedMs && seconds.length > 1 ? (seconds.pop() ?? []) : [];
  seconds.at(-1)?.push(...rest);
  return seconds;
}

function disturbanceOf(second: readonly Stretch[]): number | null {
  const known = second.filter(({ stealRatio, foreignRatio }) => stealRatio !== null || foreignRatio !== null);
  if (known.length === 0) return null;
  const takenMs = known.map(
    ({ elapsedMs, stealRatio, foreignRatio, oursRatio = 0 }) =>
      elapsedMs * ((stealRatio ?? 0) + (foreignRatio ?? 0) + oursRatio),
  );
  return sumOf(takenMs) / sumOf(known.map(({ elapsedMs }) => elapsedMs));
}
