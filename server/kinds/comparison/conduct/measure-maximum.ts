import type { Block, Window } from '../../../../shared/block.ts';
import type { Plan } from '../../../../shared/load-profile.ts';
import { type Arm, arms, byArm } from '../../../../shared/transport.ts';
import { gainOf } from '../../../sampling/readings.ts';
import { seedRandom, shuffle } from '../../../statistics/random.ts';
import { setAside } from '../../../statistics/set-aside.ts';
import { maximumRatios } from '../analyse/block-ratios.ts';
import { type BlockPlace, closeBlock, openBlock } from './block-under-way.ts';
import { firstRowOf } from './first-row.ts';
import type { Instruments } from './instruments.ts';
import { watchMachine } from './watch-machine.ts';

/** Of a burst: until every user is under way. */
const discardedShare = 0.15;

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
  const judged = setAside(windows);
  return closeBlock(block, place, 'maximum', plan, instruments, {
    windows: judged,
    ratios: maximumRatios(judged),
  });
}

async function measureBursts(
  order: readonly Arm[],
  burstMs: number,
  nth: number,
  { seed, runStartedAtMs }: BlockPlace,
  instruments: Instruments,
  signal: AbortSignal,
): Promise<Window> {
  const { generator, readings } = instruments;
  let cpuBefore = await readings.readCpu();
  const machineSince = watchMachine(instruments);
  const startedAtMs = performance.now();
  const slot = { durationMs: burstMs, discardMs: burstMs * discardedShare, ratePerS: null };
  let targetUs: number | null = 0;
  let generatorUs = 0;
  const measured = new Map<Arm, Window['arms'][Arm]>();
  for (const arm of order) {
    signal.throwIfAborted();
    const burst = await generator.burst(arm, { ...slot, firstRow: firstRowOf(seed, nth) });
    const cpuAfter = await readings.readCpu();
    const used = gainOf(cpuBefore, cpuAfter);
    cpuBefore = cpuAfter;
    targetUs = used === null || targetUs === null ? null : targetUs + readings.sum(used);
    generatorUs += burst.cpuUs;
    measured.set(arm, {
      transactions: burst.succeeded,
      cpuUs: used === null ? null : used[arm],
      medianUs: null,
      perS: burst.transactionsInWindow / (burst.windowUs / 1e6),
    });
  }
  return {
    startedAtMs: Math.round(startedAtMs - runStartedAtMs),
    elapsedMs: Math.round(performance.now() - startedAtMs),
    ...machineSince(targetUs, generatorUs),
    aside: false,
    arms: byArm((arm) => measured.get(arm) ?? nothing),
  };
}

const nothing: Window['arms'][Arm] = { transactions: 0, cpuUs: null, medianUs: null, perS: null };
