import { vi } from 'vitest';
import { type Arms, byArm, namesOf } from '../../shared/base/arms.ts';
import type { LoadResult } from '../../shared/kinds/comparison/slot.ts';
import type { SlotOptions, WindowOptions } from '../drive/load/load-messages.ts';
import type { Generator } from '../drive/load/start-generator.ts';
import type { Instruments } from '../kinds/comparison/conduct/block-edges.ts';
import { localReadings } from '../targets/sampling/readings.ts';
import { loadInTest } from './block-in-test.ts';
import { nothingOpened, scriptedSampler } from './scripted-sampler.ts';

/**
 * For tests of the conductor: instruments whose generator answers from a script and moves a fake clock, which the caller has set
 * up, on by the time that a slot takes.
 */
export type ScriptedInstruments<Name extends string> = {
  instruments: Instruments<Name>;
  /** Orders to the generator, in order. */
  slots: ({ arm: Name } & SlotOptions)[];
  windows: WindowOptions<Name>[];
};

type InstrumentScript<Name extends string> = {
  arms: Arms<Name>;
  /** Transaction time of one user in lockstep, ms. */
  transactionMs: Record<Name, number>;
  /** CPU of the target for each transaction, µs; null for a target that cannot be read. */
  cpuUs: ((arm: Name) => number) | null;
  /** Whether the arms have one process tree; each has its own when left out. */
  shared?: boolean;
  /** Transactions per second at the maximum. */
  maximumPerS?: Record<Name, number>;
  /** Counts of the generator; omitted ones are those of a block without problems. */
  counts?: (arm: Name) => Partial<LoadResult>;
  /** Called before each window and slot. */
  beforeWindow?: (nth: number) => void;
};

export function scriptInstruments<Name extends string>(
  script: InstrumentScript<Name>,
): ScriptedInstruments<Name> {
  const { cpuUs, shared = false, beforeWindow = () => {} } = script;
  const arms = namesOf(script.arms);
  const used = byArm(arms, () => 0);
  const { generator, slots, windows } = scriptGenerator(script, (arm, transactions, ms) => {
    used[arm] += transactions * (cpuUs?.(arm) ?? 0);
    vi.advanceTimersByTime(ms);
  });
  const roots = byArm(arms, (arm) => (shared ? 1 : 1 + arms.indexOf(arm)));
  const usedBy = (arm: Name) => (shared ? arms.reduce((sum, each) => sum + used[each], 0) : used[arm]);
  const nowUs = () => performance.now() * 1000;
  const sampler = (arm: Name) =>
    cpuUs && scriptedSampler({ atUs: nowUs, cpuUs: () => usedBy(arm), diskWriteBytes: () => 0 });
  let nth = 0;
  const instruments: Instruments<Name> = {
    arms: script.arms,
    generator,
    readings: localReadings(
      arms,
      byArm(arms, sampler),
      byArm(arms, (arm) => [roots[arm]]),
    ),
    turnTransactions: 1,
    cores: null,
    roots,
    counters: null,
    beforeRound: async () => beforeWindow(nth++),
    readSocketLimits: null,
    readHost: () => ({ atUs: nowUs(), busyUs: 0, stealUs: 0 }),
    memoryBytes: new Map(),
    connectionsOpened: new Map(),
    runStartedAtMs: performance.now(),
  };
  return { instruments, slots, windows };
}

/** @param spend told what an arm has done, and how long it took */
function scriptGenerator<Name extends string>(
  { arms, transactionMs, maximumPerS, counts = () => ({}) }: InstrumentScript<Name>,
  spend: (arm: Name, transactions: number, ms: number) => void,
) {
  const slots: ScriptedInstruments<Name>['slots'] = [];
  const windows: WindowOptions<Name>[] = [];
  const counted = byArm(namesOf(arms), nothing);
  const mostPerS = (arm: Name) => maximumPerS?.[arm] ?? 1000;
  const collect = (arm: Name) => ({ ...planned(counted[arm]), ...counts(arm) });
  const count = (arm: Name, transactions: number, ms: number) => {
    counted[arm].transactions += transactions;
    counted[arm].ms += ms;
    spend(arm, transactions, ms);
  };
  const generator: Generator = {
    pids: [0],
    async configure() {},
    async prepare(arm) {
      counted[arm as Name] = nothing();
      return nothingOpened;
    },
    async clear(arm) {
      counted[arm as Name] = nothing();
    },
    async run(asked, slot) {
      const arm = asked as Name;
      slots.push({ arm, ...slot });
      counted[arm] = nothing();
      const perS = slot.ratePerS ?? mostPerS(arm);
      count(arm, Math.round((perS * slot.durationMs) / 1000), slot.durationMs);
      const load = collect(arm);
      return { ...load, due: slot.ratePerS === null ? null : load.started };
    },
    async burst(asked, slot) {
      const arm = asked as Name;
      slots.push({ arm, ...slot });
      const [perS, windowMs] = [mostPerS(arm), slot.durationMs - slot.discardMs];
      const transactions = Math.round((perS * slot.durationMs) / 1000);
      count(arm, transactions, slot.durationMs);
      return {
        ...{ elapsedUs: slot.durationMs * 1000, windowUs: windowMs * 1000, cpuUs: 0, busiestUs: 0 },
        ...{ started: transactions, succeeded: transactions, transactionsInWindow: (perS * windowMs) / 1000 },
      };
    },
    async window<Asked extends string>(options: WindowOptions<Asked>) {
      const asked = options as unknown as WindowOptions<Name>;
      windows.push(asked);
      const groupMs = asked.arms.reduce((sum, arm) => sum + transactionMs[arm], 0);
      const groups = Math.ceil((options.durationMs / groupMs) * options.users);
      for (const arm of asked.arms) count(arm, groups, (groups / options.users) * transactionMs[arm]);
      return {
        elapsedUs: Math.round((groups / options.users) * groupMs * 1000),
        arms: byArm(options.arms, () => ({ transactions: groups, cpuUs: null })),
        latenciesUs: Float32Array.from(
          Array.from({ length: groups }, () => asked.arms.map((arm) => transactionMs[arm] * 1000)).flat(),
        ),
        generatorCpuUs: 0,
        groups,
      };
    },
    collect: async (arm) => collect(arm as Name),
    async stop() {},
  };
  return { generator, slots, windows };
}

type Counted = { transactions: number; ms: number };
const nothing = (): Counted => ({ transactions: 0, ms: 0 });

/** Load that went as planned. */
function planned({ transactions, ms }: Counted): LoadResult {
  return loadInTest({
    elapsedUs: ms * 1000,
    windowUs: ms * 1000,
    started: transactions,
    succeeded: transactions,
    succeededInWindow: transactions,
    due: null,
    requests: transactions * 3,
  });
}
