import type { Window } from '../../../shared/kinds/comparison/block.ts';
import { sumOf } from './mean.ts';
import { median } from './quantile.ts';

/** Share of the whole machine above that in the block's median second. */
const mostAboveUsual = 0.1;
/** A shorter window is judged together with the next ones, because the kernel reports a machine's use in steps of 10 ms. */
const judgedMs = 750;

/**
 * The windows of a block. A window is set aside if the hypervisor, other programs, and TLS Toll together took a tenth of the machine
 * more in its second than in the block's median second. Only the machine decides, so all arms are treated the same. At most half of
 * the seconds are set aside. A second in which the machine could not be read is kept.
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

/** Windows left over at the end belong to the last second. */
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
