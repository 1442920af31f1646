import type { Launch } from '../../../../shared/run.ts';
import { type Arm, arms } from '../../../../shared/transport.ts';
import type { Generator } from '../../../load/start-generator.ts';
import { sumOf } from '../../../statistics/mean.ts';
import type { MeasuredWindow } from '../analyse/block-ratios.ts';
import { hasSettled } from '../analyse/has-settled.ts';
import { fewestTransactions, turnForGrain, turnSize } from '../plan/turn-size.ts';
import type { Instruments } from './instruments.ts';
import { runWindows } from './measure-lockstep.ts';
import type { RunUnderWay } from './run-under-way.ts';
import { troubleOf } from './target-trouble.ts';

const mostUsers = 8;
/** Of the time for the warm-up, what several users may take. */
const bulkShare = 0.6;

/**
 * Nothing of it is kept: just-in-time compilers, caches and pools of the target are its point. First several users go
 * from arm to arm until each arm has had its requests, then one alone, until neither the cost of a transaction nor the ratio
 * of the sides moves any more. Seconds alone would leave the processes of a slow machine cold. Every arm gets as many
 * requests as the others: a process that had more would be the warmer one.
 * @param browser visits the target meanwhile and takes much of the machine: several users go on until it has left
 */
export async function warmUp(
  run: Pick<RunUnderWay, 'plan' | 'scenario' | 'startedAtMs' | 'warmUp'>,
  instruments: Instruments,
  seed: number,
  browser: Promise<unknown> | null,
  signal: AbortSignal,
): Promise<Launch['warmUp']> {
  const { plan, scenario } = run;
  const { generator } = instruments;
  const fromMs = performance.now();
  const leftMs = (share: number) => share * plan.warmUp.longestMs - (performance.now() - fromMs);
  const windows = (ms: number, enough: (all: readonly MeasuredWindow[]) => boolean, users?: number) =>
    runWindows({ seed, runStartedAtMs: run.startedAtMs }, plan, instruments, signal, ms, enough, users);
  for (const arm of arms) await generator.prepare(arm);

  let visiting = browser !== null;
  const left = () => {
    visiting = false;
  };
  browser?.then(left, left);
  let requests = 0;
  const users = instruments.readings.shared ? 1 : Math.min(mostUsers, plan.connections);
  const bulk = await windows(
    visiting ? Number.POSITIVE_INFINITY : leftMs(bulkShare),
    (all) => {
      requests += (all.at(-1)?.arms.baseline.transactions ?? 0) * scenario.steps.length;
      run.warmUp = { requests };
      return !visiting && (requests >= plan.warmUp.requests || leftMs(bulkShare) <= 0);
    },
    users,
  );
  await demandAnswers(bulk, generator);
  fitTurns(run, instruments, bulk);

  let settled = false;
  await windows(Math.max(leftMs(1), (1 - bulkShare) * plan.warmUp.longestMs), (all) => {
    settled = hasSettled(all);
    return settled;
  });
  run.warmUp = null;
  return { requests, ms: Math.round(performance.now() - fromMs), settled };
}

/**
 * Where turns are read over a network they are as long as that asks for, now that it is known how long a transaction takes, with
 * the pauses that keep to the target's rate.
 */
function fitTurns(
  { plan: { permit }, scenario }: Pick<RunUnderWay, 'plan' | 'scenario'>,
  instruments: Instruments,
  windows: readonly MeasuredWindow[],
): void {
  const { remote, shared } = instruments.readings;
  if (remote === null || !shared) return;
  const mediansUs = windows.flatMap((window) => arms.flatMap((arm) => window.arms[arm].medianUs ?? []));
  if (mediansUs.length === 0) return;
  const pacedUs = permit === undefined ? 0 : (scenario.steps.length * 1e6) / permit.caps.requestsPerS;
  instruments.turnTransactions = turnSize(remote, Math.max(pacedUs, Math.min(...mediansUs)));
  const grain = remote.grain();
  if (grain === null) return;
  const cheapestUs = Math.min(...arms.map((arm) => cpuOf(arm, windows)));
  const fit = turnForGrain(grain, cheapestUs, Math.max(pacedUs, ...mediansUs));
  if ('refused' in fit) {
    remote.refuse(fit.refused);
    instruments.turnTransactions = fewestTransactions;
  } else instruments.turnTransactions = Math.max(instruments.turnTransactions, fit.transactions);
}

/** Of a transaction, µs; over all windows, as a step of a counter may be longer than one of them. */
function cpuOf(arm: Arm, windows: readonly MeasuredWindow[]): number {
  const each = windows.map(({ arms: measured }) => measured[arm]);
  const transactions = sumOf(each.map((measured) => measured.transactions));
  return sumOf(each.map(({ cpuUs }) => cpuUs ?? 0)) / Math.max(1, transactions);
}

/** Throws target_died or target_errors where an arm answered nothing. */
async function demandAnswers(windows: readonly MeasuredWindow[], generator: Generator): Promise<void> {
  for (const arm of arms) {
    if (windows.some((window) => window.arms[arm].transactions > 0)) continue;
    const { errors } = await generator.collect(arm);
    if (errors.length > 0) throw troubleOf(errors, 'the warm-up');
  }
}
