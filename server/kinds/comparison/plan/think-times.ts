import { sumOf } from '../../../method/statistics/mean.ts';

/** Pauses that fit into a turn one after the other, so that those cut off at its end weigh little. */
const thinkTimesInTurn = 5;
const longestTurnMs = 600;

/**
 * Factor on the think times of a scenario: the requested one; otherwise 1 if the think times fit into turns, else 0. Think times are
 * not work of either side, but seconds of them turn a run into hours.
 * @param asked null to leave it to the plan
 */
export function thinkTimeScaleOf(asked: number | null, thinkTimesMs: readonly number[]): number {
  return asked ?? (thinkTimesInTurn * sumOf(thinkTimesMs) <= longestTurnMs ? 1 : 0);
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
