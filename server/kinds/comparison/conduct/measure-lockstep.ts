import type { Block, Window } from '../../../../shared/block.ts';
import type { Plan } from '../../../../shared/load-profile.ts';
import { type Arm, arms } from '../../../../shared/transport.ts';
import type { WindowResult } from '../../../load/messages.ts';
import { median } from '../../../statistics/quantile.ts';
import { setAside } from '../../../statistics/set-aside.ts';
import { lockstepRatios, type MeasuredWindow } from '../analyse/block-ratios.ts';
import { type BlockPlace, closeBlock, openBlock } from './block-under-way.ts';
import { firstRowOf } from './first-row.ts';
import { byArm, gainOf, type Instruments, readCpu, sumOfTrees } from './instruments.ts';
import { watchMachine } from './watch-machine.ts';

/** Transactions of a turn where CPU is read at every turn: the scheduler counts in ns, so a few are enough. */
const transactionsOfSharedTurn = 5;

/**
 * One user (or a few) going from arm to arm, window after window, for the plan's time. Between two windows nothing is in
 * flight, and CPU is read.
 */
export async function measureLockstep(
  place: BlockPlace,
  plan: Plan,
  instruments: Instruments,
  signal: AbortSignal,
): Promise<Block> {
  const block = await openBlock(instruments);
  const windows = await runWindows(place, plan, instruments, signal, plan.lockstepMs);
  const judged = setAside(windows);
  return closeBlock(block, place, 'lockstep', plan, instruments, {
    windows: judged.map(withoutGroups),
    ratios: lockstepRatios(judged),
  });
}

/** Windows for this many milliseconds, or until `enough` holds after one of them. */
export async function runWindows(
  { seed, runStartedAtMs }: Pick<BlockPlace, 'seed' | 'runStartedAtMs'>,
  plan: Plan,
  instruments: Instruments,
  signal: AbortSignal,
  ms: number,
  enough: (windows: readonly MeasuredWindow[]) => boolean = () => false,
  users: number = plan.pairUsers,
): Promise<MeasuredWindow[]> {
  const { generator, sharedTrees } = instruments;
  const windows: MeasuredWindow[] = [];
  const untilMs = performance.now() + ms;
  const machineSince = watchMachine(instruments);
  let cpuBefore = readCpu(instruments);
  while (performance.now() < untilMs - plan.windowMs / 2) {
    signal.throwIfAborted();
    await instruments.beforeWindow?.();
    const startedAtMs = performance.now();
    const result = await generator.window({
      durationMs: plan.windowMs,
      users,
      turnTransactions: sharedTrees ? transactionsOfSharedTurn : 1,
      trees: sharedTrees ? treesOf(instruments) : null,
      seed: (seed + windows.length * 7919) % 2 ** 31,
      firstRow: firstRowOf(seed, windows.length),
    });
    const cpuAfter = readCpu(instruments);
    const used = gainOf(cpuBefore, cpuAfter);
    const targetUs = used === null ? null : sumOfTrees(instruments, used);
    windows.push({
      startedAtMs: Math.round(startedAtMs - runStartedAtMs),
      elapsedMs: Math.round(performance.now() - startedAtMs),
      ...machineSince(targetUs === null ? null : targetUs + result.generatorCpuUs),
      aside: false,
      arms: byArm((arm) => armOf(arm, result, used)),
      groups: groupsOf(result.latenciesUs),
    });
    cpuBefore = cpuAfter;
    if (enough(windows)) break;
  }
  return windows;
}

function treesOf({ samplers }: Instruments): Record<Arm, number[]> | null {
  return arms.every((arm) => samplers[arm] !== null) ? byArm((arm) => samplers[arm]?.pids() ?? []) : null;
}

function armOf(
  arm: Arm,
  { arms: measured, latenciesUs }: WindowResult,
  used: Record<Arm, number> | null,
): Window['arms'][Arm] {
  const { transactions, cpuUs } = measured[arm];
  const place = arms.indexOf(arm);
  const own = Array.from(latenciesUs).filter((_, index) => index % arms.length === place);
  return {
    transactions,
    cpuUs: cpuUs ?? (used === null ? null : Math.max(0, used[arm])),
    medianUs: own.length === 0 ? null : Math.round(median(own) * 10) / 10,
    perS: null,
  };
}

function groupsOf(latenciesUs: Float32Array): Record<Arm, number>[] {
  return Array.from({ length: latenciesUs.length / arms.length }, (_, group) =>
    byArm((arm) => latenciesUs[group * arms.length + arms.indexOf(arm)] ?? 0),
  );
}

export function withoutGroups({ groups: _, ...window }: MeasuredWindow): Window {
  return window;
}
