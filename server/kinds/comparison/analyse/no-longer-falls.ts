import type { WindowArm, WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import { meanOf } from '../../../method/statistics/mean.ts';

/** Windows that are looked at: the later half against the earlier one. */
const looked = 4;
/** Means of two rounds scatter by 1 to 2 %; a process that still warms up falls by more. */
const still = 0.03;

/**
 * Whether the cost of a transaction has stopped falling on all sides: CPU where it can be read, else the time that it takes. What
 * still drifts is estimated from what is measured.
 */
export function noLongerFalls<Name extends string>(
  windows: readonly Pick<WindowOf<Name>, 'arms'>[],
  sides: readonly Name[],
): boolean {
  const recent = windows.slice(-looked);
  if (recent.length < looked) return false;
  return sides.every((side) => {
    const costs = recent.map((window) => costOf(window.arms[side]));
    return costs.every((cost) => cost > 0) && stepOf(costs.map(Math.log)) >= -still;
  });
}

function costOf({ cpuUs, transactions, perS }: WindowArm): number {
  if (cpuUs !== null && transactions > 0) return cpuUs / transactions;
  return perS === null || perS === 0 ? Number.NaN : 1e6 / perS;
}

/** From the mean of the earlier half to that of the later one. */
function stepOf(values: readonly number[]): number {
  const half = values.length / 2;
  return meanOf(values.slice(half)) - meanOf(values.slice(0, half));
}
