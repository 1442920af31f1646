import { sumOf } from '../../../method/statistics/mean.ts';

/** Transactions with think time that a slot holds one after the other, so that those cut off at its end weigh little. */
const thinkTimesInSlot = 5;

/**
 * Factor on the think times of a scenario: what was asked for; else 1 where slots hold them, and 0 where all slots would
 * have to wait for them. They are no work of either side, but seconds of them make hours of a run.
 * @param asked null when it is left to the plan
 * @param slotMs of the steady point
 */
export function thinkTimeScaleOf(
  asked: number | null,
  thinkTimesMs: readonly number[],
  slotMs: number,
): number {
  return asked ?? (thinkTimesInSlot * sumOf(thinkTimesMs) <= slotMs ? 1 : 0);
}

/** What is said of a run whose plan left them out; nothing where it did not. */
export function thinkTimesLeftOut(
  asked: number | null,
  planned: number,
  thinkTimesMs: readonly number[],
): string[] {
  const ms = sumOf(thinkTimesMs);
  if (asked !== null || planned !== 0 || ms === 0) return [];
  return [
    `The scenario’s think times (${(ms / 1000).toFixed(1)} s per visit) were left out, because they do not fit into the slots. Set the think time factor to 1 to keep them.`,
  ];
}
