import { setTimeout as pause } from 'node:timers/promises';
import { byArm, namesOf } from '../../shared/base/arms.ts';
import { type Arm, twoSidesAndTwin } from '../../shared/base/transport.ts';
import type { LoadResult } from '../../shared/kinds/comparison/slot.ts';
import type { SlotOptions, WindowOptions } from '../drive/load/load-messages.ts';
import type { Generator } from '../drive/load/start-generator.ts';
import type { Apparatus } from '../kinds/apparatus.ts';
import { drawsOf } from '../method/statistics/random.ts';
import { sampleSlot } from './sample-slot.ts';
import { nothingOpened, scriptedSampler } from './scripted-sampler.ts';

const arms = namesOf(twoSidesAndTwin);

/**
 * Measures nothing: every window and slot has the figures of the sample run, on a clock that moves on by what they would have
 * taken. So every run comes to the same, however busy the machine is.
 *
 * @param pace how long a window takes, as a multiple of its time
 */
export function scriptedApparatus(pace: number): Apparatus {
  const random = drawsOf(7);
  const spent = byArm(arms, () => ({ cpuUs: 0, diskBytes: 0 }));
  let nowMs = 0;
  const spend = async (ms: number) => {
    await pause(ms * pace);
    nowMs += ms;
  };
  const samplers = byArm(arms, (arm) =>
    scriptedSampler({
      atUs: () => nowMs * 1000,
      cpuUs: () => spent[arm].cpuUs,
      diskWriteBytes: () => spent[arm].diskBytes,
    }),
  );
  return {
    startGenerator: async () => scriptGenerator(random, spent, spend),
    place: async () => null,
    openSampler: ({ arm }) => samplers[arm as Arm],
    countersOf: () => null,
    coresOf: () => null,
    seesProcesses: false,
    readHost: () => ({ atUs: nowMs * 1000, busyUs: 0, stealUs: 0 }),
  };
}

function scriptGenerator(
  random: () => number,
  spent: Record<Arm, { cpuUs: number; diskBytes: number }>,
  spend: (ms: number) => Promise<void>,
): Generator {
  const counted = byArm(arms, nothingYet);
  const sample = (asked: string, point: 'lockstep' | 'maximum' | 'steady', ms: number) => {
    const times = { slotMs: Math.max(shortestMs, ms), ofLaunch: 1 };
    const { load, target } = sampleSlot(asked as Arm, point, 0, random, times);
    return { load: { ...load, connectionsOpened: 0 }, target };
  };
  const load = (asked: string, point: 'maximum' | 'steady', ms: number): LoadResult => {
    const arm = asked as Arm;
    const slot = sample(arm, point, ms);
    spent[arm].cpuUs += slot.target?.cpuUs ?? 0;
    spent[arm].diskBytes += slot.target?.diskWriteBytes ?? 0;
    return slot.load;
  };
  return {
    pids: [process.pid],
    async configure() {},
    async prepare(arm) {
      counted[arm as Arm] = nothingYet();
      return nothingOpened;
    },
    async clear(arm) {
      counted[arm as Arm] = nothingYet();
    },
    async run(arm, slot) {
      await spend(slot.durationMs);
      const result = load(arm, 'steady', slot.durationMs);
      return { ...result, windowUs: (slot.durationMs - slot.discardMs) * 1000 };
    },
    async burst(arm, { durationMs }: SlotOptions) {
      await spend(durationMs);
      const { started, succeeded, succeededInWindow } = load(arm, 'maximum', durationMs);
      const countedMs = Math.max(shortestMs, durationMs);
      Object.assign(counted[arm as Arm], { point: 'maximum', ms: counted[arm as Arm].ms + countedMs });
      const windowUs = (countedMs - 100) * 1000;
      return {
        ...{ elapsedUs: durationMs * 1000, windowUs, cpuUs: 0, busiestUs: 0 },
        ...{ started, succeeded, transactionsInWindow: succeededInWindow },
      };
    },
    async window<Name extends string>({ arms: asked, durationMs }: WindowOptions<Name>) {
      await spend(durationMs);
      const groups = 40;
      const ofArm = (name: string) => {
        const arm = name as Arm;
        counted[arm].ms += durationMs / asked.length;
        spent[arm].cpuUs += groups * cpuPerTransactionUs[arm] * near(random);
        return { transactions: groups, cpuUs: null };
      };
      return {
        elapsedUs: durationMs * 1000,
        arms: byArm(asked, ofArm),
        latenciesUs: Float32Array.from(
          { length: groups * asked.length },
          (_, place) => latencyUs[asked[place % asked.length] as Name & Arm] * near(random),
        ),
        generatorCpuUs: 0,
        groups,
      };
    },
    async collect(arm) {
      const { point, ms } = counted[arm as Arm];
      // Bursts and windows have already counted this in `spent`.
      return sample(arm, point, ms).load;
    },
    async stop() {},
  };
}

/** A sampled slot discards its first 100 ms. */
const shortestMs = 200;

const cpuPerTransactionUs: Record<Arm, number> = { baseline: 588, comparison: 712, twin: 588 };
const latencyUs: Record<Arm, number> = { baseline: 1500, comparison: 1785, twin: 1500 };

/** About 1, within 2 %. */
function near(random: () => number): number {
  return 1 + 0.04 * (random() - 0.5);
}

type Counted = { point: 'lockstep' | 'maximum'; ms: number };
const nothingYet = (): Counted => ({ point: 'lockstep', ms: 0 });
