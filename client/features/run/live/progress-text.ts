import { printTimeLeft } from '../../../format/duration.ts';
import type { LiveRun } from './live-run.ts';

/** `7 of 12 blocks, about 40 s left`. */
export function progressText({ blocksDone, blocksPlanned, secondsLeft }: LiveRun): string {
  const blocks = blocksPlanned === 0 ? 'No blocks yet' : `${blocksDone} of ${blocksPlanned} blocks`;
  return secondsLeft === null ? blocks : `${blocks}, ${printTimeLeft(secondsLeft)}`;
}
