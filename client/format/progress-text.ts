import { capitalized } from '../../shared/base/capitalized.ts';
import { printNumber } from '../../shared/base/quantity.ts';
import type { ProgressEvent } from '../../shared/measurement/measurement.ts';
import { printCount } from './count.ts';
import { printDuration, printTimeLeft } from './duration.ts';

/** `Launch 3 of 4, about 40 s left`. */
export function progressText(progress: ProgressEvent | null): string {
  if (progress === null) return 'Starting';
  const { counts, secondsLeft, longerS } = progress;
  const parts = [
    ...counts
      // Of parts of a part, one alone needs no counting.
      .filter(({ planned }, index) => planned > (index === 0 ? 0 : 1))
      .map(countText),
    ...(secondsLeft === null ? [] : [printTimeLeft(secondsLeft)]),
    ...(longerS === undefined ? [] : [`${printDuration(longerS)} longer than planned`]),
  ];
  return parts.length === 0 ? 'Starting' : capitalized(parts.join(', '));
}

/** Of what takes its time, the one under way; of requests, how many. */
function countText({ of, done, planned }: Count): string {
  const all = Math.max(planned, done);
  if (isOfWarmUp(of)) return `${printNumber(done, 0)} of ${printCount(all, of)}`;
  return done < all ? `${of} ${printNumber(done + 1, 0)} of ${printNumber(all, 0)}` : printCount(all, of);
}

type Count = ProgressEvent['counts'][number];

function isOfWarmUp(of: string): boolean {
  return of.startsWith('warm-up');
}

/** What there is to keep when it is canceled. */
export function keptText(progress: ProgressEvent | null): string {
  const widest = progress?.counts.find(({ of, done }) => done > 0 && !isOfWarmUp(of));
  if (widest === undefined) return 'Nothing has been measured yet.';
  return `${printCount(widest.done, widest.of)} measured so far. Kept figures stay at this address, labeled incomplete.`;
}

export function queueText(queuePosition: number | null): string {
  if (queuePosition === null) return 'In the queue.';
  return queuePosition === 1 ? 'Next in the queue.' : `Number ${queuePosition} in the queue.`;
}
