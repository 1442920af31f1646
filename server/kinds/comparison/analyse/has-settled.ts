import type { Window } from '../../../../shared/block.ts';
import { sideNames } from '../../../../shared/transport.ts';
import { meanOf } from '../../../statistics/mean.ts';

/** Windows that are looked at: the later half against the earlier one. */
const looked = 4;
/** Means of two windows of 200 ms scatter by 1 to 2 %; a process that still warms up falls by more. */
const still = 0.03;

/**
 * Whether the cost of a transaction, on either side, and the ratio of the sides have stopped moving: CPU where it can be
 * read, else the median latency.
 */
export function hasSettled(windows: readonly Pick<Window, 'arms'>[]): boolean {
  const recent = windows.slice(-looked);
  if (recent.length < looked) return false;
  const costs = sideNames.map((side) => recent.map((window) => costOf(window.arms[side])));
  if (costs.flat().some((cost) => !(cost > 0))) return false;
  const [baseline = [], comparison = []] = costs.map((side) => side.map(Math.log));
  const ratio = comparison.map((cost, index) => cost - (baseline[index] ?? 0));
  return [baseline, comparison, ratio].every((logs) => Math.abs(stepOf(logs)) <= still);
}

function costOf({ cpuUs, transactions, medianUs }: Window['arms']['baseline']): number {
  return cpuUs === null || transactions === 0 ? (medianUs ?? Number.NaN) : cpuUs / transactions;
}

/** From the mean of the earlier half to that of the later one. */
function stepOf(values: readonly number[]): number {
  const half = values.length / 2;
  return meanOf(values.slice(half)) - meanOf(values.slice(0, half));
}
