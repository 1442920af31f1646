import type { AddedDelay } from '../../../shared/kinds/comparison/link.ts';
import { median, quantileOfSorted, toSorted } from './quantile.ts';

/**
 * What a relay added to each ping through it: its round trip less the median of those past it, which is the machine's own.
 * @param straight round trips past the relay, ms
 * @param relayed round trips through it, ms
 */
export function addedMs(straight: readonly number[], relayed: readonly number[]): number[] {
  if (straight.length === 0) return [];
  const own = median(straight);
  return relayed.map((ms) => ms - own);
}

/** Null without a ping. */
export function summariseAdded(added: readonly number[]): AddedDelay | null {
  if (added.length === 0) return null;
  const sorted = toSorted(added);
  const of = (share: number) => quantileOfSorted(sorted, share);
  return { pings: added.length, median: of(0.5), p5: of(0.05), p95: of(0.95) };
}
