import { namesOf } from '../../../../shared/base/arms.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import type { MeasuredWindow } from '../analyse/block-ratios.ts';
import { fewestTransactions, turnForGrain, turnSize } from '../plan/turn-size.ts';
import type { LoadInstruments, LoadPlan } from './instruments.ts';
import type { RunUnderWay } from './run-under-way.ts';

/**
 * Where turns are read over a network they are as long as that asks for, now that it is known how long a transaction takes, with
 * the pauses that keep to the target's rate.
 */
export function fitTurns<Name extends string>(
  { plan: { permit }, scenario }: Pick<RunUnderWay, 'scenario'> & { plan: Pick<LoadPlan, 'permit'> },
  instruments: Pick<LoadInstruments<Name>, 'arms' | 'readings' | 'turnTransactions'>,
  windows: readonly MeasuredWindow<Name>[],
): void {
  const { remote } = instruments.readings;
  const arms = namesOf(instruments.arms);
  const mediansUs = windows.flatMap((window) => arms.flatMap((arm) => window.arms[arm].medianUs ?? []));
  if (remote === null || mediansUs.length === 0) return;
  const pacedUs = permit === undefined ? 0 : (scenario.steps.length * 1e6) / permit.caps.requestsPerS;
  const transactionUs = Math.max(pacedUs, Math.min(...mediansUs));
  instruments.turnTransactions = turnSize(remote, transactionUs);
  const grain = remote.grain();
  if (grain === null) return;
  const cheapestUs = Math.min(...arms.map((arm) => cpuOf(arm, windows)));
  const fit = turnForGrain(grain, cheapestUs, Math.max(pacedUs, ...mediansUs));
  if ('refused' in fit) {
    remote.refuse(fit.refused);
    instruments.turnTransactions = fewestTransactions(transactionUs);
  } else instruments.turnTransactions = Math.max(instruments.turnTransactions, fit.transactions);
}

/** Of a transaction, µs; over all windows, as a step of a counter may be longer than one of them. */
function cpuOf<Name extends string>(arm: Name, windows: readonly MeasuredWindow<Name>[]): number {
  const each = windows.map(({ arms: measured }) => measured[arm]);
  const transactions = sumOf(each.map((measured) => measured.transactions));
  return sumOf(each.map(({ cpuUs }) => cpuUs ?? 0)) / Math.max(1, transactions);
}
