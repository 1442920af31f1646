import type { Block, Window } from '../../../../shared/block.ts';
import type { Plan } from '../../../../shared/load-profile.ts';
import { type Arm, arms } from '../../../../shared/transport.ts';
import { seedRandom, shuffle } from '../../../statistics/random.ts';
import { maximumRatios } from '../analyse/block-ratios.ts';
import { setAside } from '../analyse/set-aside.ts';
import { type BlockPlace, closeBlock, openBlock } from './block-under-way.ts';
import { byArm, gainOf, type Instruments, readCpu, sumOfTrees } from './instruments.ts';
import { watchMachine } from './watch-machine.ts';

/** Of a burst: until every user is under way. */
const discardedShare = 0.15;
const rowsApart = 10_007;

/** Every user as fast as it can, in short bursts on the arms in random order, without a pause. */
export async function measureMaximum(
  place: BlockPlace,
  plan: Plan,
  instruments: Instruments,
  signal: AbortSignal,
): Promise<Block> {
  const block = await openBlock(instruments);
  const windows: Window[] = [];
  const burstMs = Math.max(plan.burstMs, 5 * plan.thinkMs);
  const untilMs = performance.now() + plan.maximumMs;
  let random = seedRandom(place.seed);
  while (windows.length === 0 || performance.now() < untilMs - (arms.length * burstMs) / 2) {
    await instruments.beforeWindow?.();
    const drawn = shuffle(arms, random);
    random = drawn.next;
    windows.push(await measureBursts(drawn.value, burstMs, windows.length, place, instruments, signal));
  }
  const aside = setAside(windows);
  const judged = windows.map((window, index) => ({ ...window, aside: aside[index] ?? false }));
  return closeBlock(block, place, 'maximum', plan, instruments, {
    windows: judged,
    ratios: maximumRatios(judged),
  });
}

async function measureBursts(
  order: readonly Arm[],
  burstMs: number,
  nth: number,
  { runStartedAtMs }: BlockPlace,
  instruments: Instruments,
  signal: AbortSignal,
): Promise<Window> {
  const spent = byArm(() => ({ transactions: 0, cpuUs: 0 as number | null, perS: [] as number[] }));
  const machineSince = watchMachine(instruments);
  const startedAtMs = performance.now();
  let busyUs: number | null = 0;
  for (const arm of order) {
    signal.throwIfAborted();
    const cpuBefore = readCpu(instruments);
    const slot = { durationMs: burstMs, discardMs: burstMs * discardedShare, ratePerS: null };
    const burst = await instruments.generator.burst(arm, { ...slot, firstRow: nth * rowsApart });
    const used = gainOf(cpuBefore, readCpu(instruments));
    const own = spent[arm];
    own.transactions += burst.succeeded;
    own.cpuUs = used === null || own.cpuUs === null ? null : own.cpuUs + used[arm];
    own.perS.push(burst.succeededInWindow / (burst.windowUs / 1e6));
    busyUs = used === null || busyUs === null ? null : busyUs + sumOfTrees(instruments, used) + burst.cpuUs;
  }
  const machine = machineSince(busyUs);
  return {
    startedAtMs: Math.round(startedAtMs - runStartedAtMs),
    elapsedMs: Math.round(performance.now() - startedAtMs),
    ...machine,
    aside: false,
    arms: byArm((arm) => ({
      transactions: spent[arm].transactions,
      cpuUs: spent[arm].cpuUs,
      medianUs: null,
      perS: mean(spent[arm].perS),
    })),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
