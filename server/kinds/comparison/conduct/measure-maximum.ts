import { byArm, contrastOf, namesOf, writeOrder } from '../../../../shared/base/arms.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { BlockOf, WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { discardedShare } from '../../../base/addresses/burst-length.ts';
import { judgeWindows } from '../../../method/statistics/judge-windows.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { drawsOf, shuffle } from '../../../method/statistics/random.ts';
import { watchMachine } from '../../../targets/sampling/watch-machine.ts';
import { roundOfBursts } from '../../round-of-bursts.ts';
import { maximumRatios } from '../analyse/block-ratios.ts';
import { type BlockPlace, closeBlock, openBlock } from './block-under-way.ts';
import { firstRowOf } from './first-row.ts';
import type { Instruments, LoadInstruments } from './instruments.ts';

/** The cost at load: all users on one arm for tens of milliseconds, then on the next, in random order, without a pause. */
export async function measureMaximum<Name extends string>(
  place: BlockPlace<Name>,
  plan: Plan,
  load: AtLoad,
  instruments: Instruments<Name>,
  signal: AbortSignal,
): Promise<BlockOf<Name>> {
  const block = await openBlock(instruments);
  const windows = await runBursts(place, load, instruments, signal, plan.maximumMs);
  const judged = judgeWindows(windows);
  const rated = load.ratePerS !== null;
  return closeBlock(block, place, 'maximum', plan, instruments, {
    windows: judged,
    ratios: maximumRatios(judged, contrastOf(instruments.arms), { rated }),
    rated,
  });
}

/** Rounds of bursts for this many milliseconds, at least one, or until `enough` holds after one of them. */
export async function runBursts<Name extends string>(
  { seed, runStartedAtMs }: Pick<BlockPlace<Name>, 'seed' | 'runStartedAtMs'>,
  load: Pick<AtLoad, 'users' | 'burstMs'>,
  instruments: LoadInstruments<Name>,
  signal: AbortSignal,
  ms: number,
  enough: (windows: readonly WindowOf<Name>[]) => boolean = () => false,
): Promise<WindowOf<Name>[]> {
  const { readings } = instruments;
  const arms = namesOf(instruments.arms);
  const windows: WindowOf<Name>[] = [];
  const untilMs = performance.now() + ms;
  const draw = drawsOf(seed);
  let cpu = await readings.readCpu();
  while (windows.length === 0 || performance.now() < untilMs - (arms.length * load.burstMs) / 2) {
    await instruments.beforeWindow?.();
    const order = shuffle(arms, draw);
    const round = { order, cpu, firstRow: firstRowOf(seed, windows.length), runStartedAtMs };
    const measured = await measureRound(round, load, instruments, signal);
    cpu = measured.cpu;
    windows.push(measured.window);
    if (enough(windows)) break;
  }
  return windows;
}

export function failedIn(failed: number): Pick<WindowOf<string>, 'failed'> {
  return failed > 0 ? { failed } : {};
}

type Cpu<Name extends string> = Record<Name, number> | null;
type Round<Name extends string> = {
  order: readonly Name[];
  cpu: Cpu<Name>;
  firstRow: number;
  runStartedAtMs: number;
};

async function measureRound<Name extends string>(
  { order, cpu, firstRow, runStartedAtMs }: Round<Name>,
  { users, burstMs }: Pick<AtLoad, 'users' | 'burstMs'>,
  instruments: LoadInstruments<Name>,
  signal: AbortSignal,
): Promise<{ window: WindowOf<Name>; cpu: Cpu<Name> }> {
  const machineSince = watchMachine(instruments);
  const startedAtMs = performance.now();
  const slot = {
    durationMs: burstMs,
    discardMs: burstMs * discardedShare,
    // A permitted host's requests are paced wherever they are sent.
    ratePerS: null,
    users,
    firstRow,
  };
  const {
    bursts,
    cpuUs,
    targetUs,
    generatorUs,
    cpu: latest,
    settledUs,
  } = await roundOfBursts(order, slot, cpu, instruments, signal);
  return {
    cpu: latest,
    window: {
      startedAtMs: Math.round(startedAtMs - runStartedAtMs),
      elapsedMs: Math.round(performance.now() - startedAtMs),
      ...machineSince(targetUs, generatorUs),
      aside: false,
      ...failedIn(sumOf(order.map((arm) => bursts[arm].started - bursts[arm].succeeded))),
      order: writeOrder(instruments.arms, order),
      ...(instruments.readings.shared ? { settledMs: Math.round(settledUs / 100) / 10 } : {}),
      arms: byArm(namesOf(instruments.arms), (arm) => {
        const { succeeded, transactionsInWindow, windowUs } = bursts[arm];
        return {
          transactions: succeeded,
          cpuUs: cpuUs?.[arm] ?? null,
          medianUs: null,
          perS: transactionsInWindow / (windowUs / 1e6),
        };
      }),
    },
  };
}
