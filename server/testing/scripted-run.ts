import { vi } from 'vitest';
import { type Arm, arms, byArm } from '../../shared/base/transport.ts';
import type { Block } from '../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import type { RunEvent } from '../../shared/kinds/comparison/progress.ts';
import type { RunFacts } from '../../shared/kinds/comparison/run.ts';
import { type RunRequestInput, runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import type { LoadResult } from '../../shared/kinds/comparison/slot.ts';
import type { SlotOptions, WindowOptions } from '../drive/load/messages.ts';
import type { Generator } from '../drive/load/start-generator.ts';
import type { Instruments } from '../kinds/comparison/conduct/instruments.ts';
import { measureLaunch } from '../kinds/comparison/conduct/measure-launch.ts';
import { RunUnderWay } from '../kinds/comparison/conduct/run-under-way.ts';
import { planFor } from '../kinds/comparison/plan/presets.ts';
import type { ProcessSampler } from '../targets/sampling/process-sampler.ts';
import { localReadings } from '../targets/sampling/readings.ts';
import { searchScenario } from '../targets/storefront/search-scenario.ts';
import { loadInTest } from './block-in-test.ts';

/**
 * For tests of the conductor: a run whose generator answers from a script and moves a fake clock on by the time that a slot
 * takes.
 */
export type ScriptedRun = {
  run: RunUnderWay;
  instruments: Instruments;
  /** Measures its launches, as the conductor does around starting and stopping targets. */
  conduct(signal?: AbortSignal): Promise<void>;
  /** What the generator was told to run, in order. */
  slots: ({ arm: Arm } & SlotOptions)[];
  windows: WindowOptions[];
  /** What was kept so far. */
  blocks: Block[];
  /** All that was told so far. */
  events: RunEvent[];
  close(): void;
};

/** What the generator counted on an arm in the nth block, from 0; what is left out is as in one without trouble. */
type Script = (arm: Arm, block: number) => Partial<LoadResult>;

export type ScriptedRunOptions = {
  request?: RunRequestInput;
  plan?: Partial<Plan>;
  script?: Script;
  /** CPU of the target for each transaction in a block, µs; null for a target that cannot be read. */
  cpuUs?: ((arm: Arm, block: number) => number) | null;
  /** Called before each window and slot. */
  beforeWindow?: (nth: number) => void;
};

/** Of one user, ms. */
const transactionMs: Record<Arm, number> = { baseline: 1, comparison: 1.2, twin: 1 };
const maximumPerS = 1000;

export function openScriptedRun({
  request: input = {},
  plan = {},
  script = () => ({}),
  cpuUs = () => 500,
  beforeWindow = () => {},
}: ScriptedRunOptions = {}): ScriptedRun {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  const request = runRequestSchema.parse(input);
  const blocks: Block[] = [];
  const events: RunEvent[] = [];
  const facts: RunFacts = {
    ...{
      scenario: searchScenario,
      revisionId: null,
      preflight: null,
      cache: null,
      server: null,
      placement: null,
      launches: [],
    },
    plan: { ...planFor(request, request.seed ?? 7), ...plan },
  };
  const run = new RunUnderWay(
    { request, facts, secrets: {}, blocks: [] },
    {
      signal: new AbortController().signal,
      tell: (event) => void events.push(event as RunEvent),
      async keep(part) {
        if (part.block !== undefined) blocks.push(part.block);
        if (part.facts !== undefined) Object.assign(facts, part.facts);
      },
    },
  );

  const slots: ScriptedRun['slots'] = [];
  const windows: WindowOptions[] = [];
  const used: Record<Arm, number> = { baseline: 0, comparison: 0, twin: 0 };
  let counted: Record<Arm, Counted> = { baseline: nothing(), comparison: nothing(), twin: nothing() };
  const count = (arm: Arm, transactions: number, ms: number) => {
    counted[arm].transactions += transactions;
    counted[arm].ms += ms;
    used[arm] += transactions * (cpuUs?.(arm, blocks.length) ?? 0);
    vi.advanceTimersByTime(ms);
  };
  const collect = (arm: Arm) => ({ ...planned(counted[arm]), ...script(arm, blocks.length) });

  const generator: Generator = {
    pids: [0],
    async configure() {},
    async prepare(arm) {
      counted[arm] = nothing();
      return { connectionsOpened: 0, handshakesFull: 0, handshakesResumed: 0, negotiated: null, errors: [] };
    },
    async clear(arm) {
      counted[arm] = nothing();
    },
    async run(arm, slot) {
      slots.push({ arm, ...slot });
      counted = { ...counted, [arm]: nothing() };
      count(arm, Math.round(((slot.ratePerS ?? maximumPerS) * slot.durationMs) / 1000), slot.durationMs);
      const load = collect(arm);
      return { ...load, due: slot.ratePerS === null ? null : load.started };
    },
    async burst(arm, slot) {
      slots.push({ arm, ...slot });
      const transactions = Math.round((maximumPerS * slot.durationMs) / 1000);
      count(arm, transactions, slot.durationMs);
      const inWindow = (maximumPerS * (slot.durationMs - slot.discardMs)) / 1000;
      return {
        ...{
          elapsedUs: slot.durationMs * 1000,
          windowUs: (slot.durationMs - slot.discardMs) * 1000,
          cpuUs: 0,
          busiestUs: 0,
        },
        ...{ started: transactions, succeeded: transactions, transactionsInWindow: inWindow },
      };
    },
    async window(options) {
      windows.push(options);
      const groupMs = arms.reduce((sum, arm) => sum + transactionMs[arm], 0);
      const groups = Math.ceil((options.durationMs / groupMs) * options.users);
      for (const arm of arms) count(arm, groups, (groups / options.users) * transactionMs[arm]);
      const ofArm = () => ({ transactions: groups, cpuUs: null });
      return {
        elapsedUs: Math.round((groups / options.users) * groupMs * 1000),
        arms: { baseline: ofArm(), comparison: ofArm(), twin: ofArm() },
        latenciesUs: Float32Array.from({ length: groups * arms.length }, (_, place) => {
          const arm = arms[place % arms.length] as Arm;
          return transactionMs[arm] * 1000;
        }),
        generatorCpuUs: 0,
        groups,
      };
    },
    async collect(arm) {
      return collect(arm);
    },
    async stop() {},
  };
  const sampler = (arm: Arm) => (cpuUs === null ? null : scriptedSampler(() => used[arm]));
  const roots = { baseline: 1, comparison: 2, twin: 3 };
  let nth = 0;
  const instruments: Instruments = {
    generator,
    readings: localReadings(byArm(sampler), roots),
    turnTransactions: 1,
    cores: null,
    roots,
    counters: null,
    beforeWindow: async () => beforeWindow(nth++),
    readSocketLimits: null,
    readHost: () => ({ atUs: performance.now() * 1000, busyUs: 0, stealUs: 0 }),
    memoryBytes: new Map(),
    connectionsOpened: new Map(),
    runStartedAtMs: run.startedAtMs,
  };
  return {
    run,
    instruments,
    async conduct(signal = new AbortController().signal) {
      await run.enter('warm-up');
      for (let launch = 0; run.wantsLaunch; launch++) {
        await measureLaunch(run, launch, instruments, null, signal);
        run.endLaunch();
      }
      await run.enter('analysing');
    },
    slots,
    windows,
    blocks,
    events,
    close: () => void vi.useRealTimers(),
  };
}

type Counted = { transactions: number; ms: number };
const nothing = (): Counted => ({ transactions: 0, ms: 0 });

/** What went as planned. */
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

function scriptedSampler(cpuUs: () => number): ProcessSampler {
  return {
    read: () => ({
      atUs: performance.now() * 1000,
      cpuUs: cpuUs(),
      cpuTickUs: cpuUs(),
      rssBytes: 80_000_000,
      pssBytes: 70_000_000,
      diskReadBytes: 0,
      diskWriteBytes: 0,
      processes: 1,
    }),
    readMemory: () => 85_000_000,
    readCpuUs: cpuUs,
    watch: () => () => {},
    awaitAsleep: async () => asleep,
    blockUntilAsleep: () => asleep,
  };
}

const asleep = { waitedUs: 0, asleep: true };
