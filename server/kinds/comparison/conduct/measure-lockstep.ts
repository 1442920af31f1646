import { byArm, contrastOf, namesOf } from '../../../../shared/base/arms.ts';
import type { BlockOf, WindowArm, WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { WindowResult } from '../../../drive/load/messages.ts';
import { judgeWindows } from '../../../method/statistics/judge-windows.ts';
import { median } from '../../../method/statistics/quantile.ts';
import { gainOf } from '../../../targets/sampling/readings.ts';
import { lockstepRatios, type MeasuredWindow } from '../analyse/block-ratios.ts';
import { type BlockPlace, closeBlock, openBlock } from './block-under-way.ts';
import { firstRowOf } from './first-row.ts';
import type { Instruments, LoadInstruments, LoadPlan } from './instruments.ts';
import { failedIn } from './measure-maximum.ts';
import { watchMachine } from './watch-machine.ts';
import { measureWindow } from './window-of-turns.ts';

/**
 * One user (or a few) going from arm to arm, window after window, for the plan's time. Between two windows nothing is in
 * flight, and CPU is read.
 */
export async function measureLockstep<Name extends string>(
  place: BlockPlace<Name>,
  plan: Plan,
  instruments: Instruments<Name>,
  signal: AbortSignal,
): Promise<BlockOf<Name>> {
  const block = await openBlock(instruments);
  const windows = await runWindows(place, plan, instruments, signal, plan.lockstepMs);
  const judged = judgeWindows(windows);
  return closeBlock(block, place, 'lockstep', plan, instruments, {
    windows: judged.map(withoutGroups),
    ratios: lockstepRatios(judged, contrastOf(instruments.arms)),
  });
}

/** Windows for this many milliseconds, or until `enough` holds after one of them. */
export async function runWindows<Name extends string>(
  { seed, runStartedAtMs }: Pick<BlockPlace<Name>, 'seed' | 'runStartedAtMs'>,
  plan: LoadPlan,
  instruments: LoadInstruments<Name>,
  signal: AbortSignal,
  ms: number,
  enough: (windows: readonly MeasuredWindow<Name>[]) => boolean = () => false,
  users: number = plan.pairUsers,
): Promise<MeasuredWindow<Name>[]> {
  const { readings } = instruments;
  const arms = namesOf(instruments.arms);
  const windows: MeasuredWindow<Name>[] = [];
  const untilMs = performance.now() + ms;
  let cpuBefore = await readings.readCpu();
  const machineSince = watchMachine(instruments);
  while (performance.now() < untilMs - plan.windowMs / 2) {
    signal.throwIfAborted();
    await instruments.beforeWindow?.();
    const startedAtMs = performance.now();
    const result = await measureWindow(instruments, {
      durationMs: plan.windowMs,
      users,
      seed: (seed + windows.length * 7919) % 2 ** 31,
      firstRow: firstRowOf(seed, windows.length),
    });
    const cpuAfter = await readings.readCpu();
    const used = gainOf(cpuBefore, cpuAfter);
    windows.push({
      startedAtMs: Math.round(startedAtMs - runStartedAtMs),
      elapsedMs: Math.round(performance.now() - startedAtMs),
      ...machineSince(used === null ? null : readings.sum(used), result.generatorCpuUs),
      aside: false,
      ...failedIn(result.groups - result.latenciesUs.length / arms.length),
      arms: byArm(arms, (arm) => armOf(arms, arm, result, used)),
      groups: groupsOf(arms, result.latenciesUs),
    });
    cpuBefore = cpuAfter;
    if (enough(windows)) break;
  }
  return windows;
}

function armOf<Name extends string>(
  arms: readonly Name[],
  arm: Name,
  { arms: measured, latenciesUs }: WindowResult<Name>,
  used: Record<Name, number> | null,
): WindowArm {
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

function groupsOf<Name extends string>(
  arms: readonly Name[],
  latenciesUs: Float32Array,
): Record<Name, number>[] {
  return Array.from({ length: latenciesUs.length / arms.length }, (_, group) =>
    byArm(arms, (arm) => latenciesUs[group * arms.length + arms.indexOf(arm)] ?? 0),
  );
}

function withoutGroups<Name extends string>({ groups: _, ...window }: MeasuredWindow<Name>): WindowOf<Name> {
  return window;
}
