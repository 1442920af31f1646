import { printNumber } from '../../shared/base/quantity.ts';
import type { ProgressEvent } from '../../shared/measurement/measurement.ts';
import { printCount } from './count.ts';
import { printTimeLeft } from './duration.ts';

/** `7 of 12 blocks, about 40 s left`. */
export function progressText(progress: ProgressEvent | null): string {
  if (progress === null) return 'Starting';
  const { counts, secondsLeft } = progress;
  const parts = [
    ...counts
      // Of parts of a part, one alone needs no counting.
      .filter(({ planned }, index) => planned > (index === 0 ? 0 : 1))
      .map(
        ({ of, done, planned }) => `${printNumber(done, 0)} of ${printCount(Math.max(planned, done), of)}`,
      ),
    ...(secondsLeft === null ? [] : [printTimeLeft(secondsLeft)]),
  ];
  return parts.length === 0 ? 'Starting' : parts.join(', ');
}

/** What there is to keep when it is canceled. */
export function keptText(progress: ProgressEvent | null): string {
  const widest = progress?.counts.find(({ of, done }) => done > 0 && !of.startsWith('warm-up'));
  if (widest === undefined) return 'Nothing has been measured yet.';
  return `${printCount(widest.done, widest.of)} measured so far. Kept figures stay at this address, labeled incomplete.`;
}

export function queueText(queuePosition: number | null): string {
  if (queuePosition === null) return 'In the queue.';
  return queuePosition === 1 ? 'Next in the queue.' : `Number ${queuePosition} in the queue.`;
}
