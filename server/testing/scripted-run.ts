import { vi } from 'vitest';
import type { Block } from '../../shared/block.ts';
import type { Plan } from '../../shared/load-profile.ts';
import type { RunEvent } from '../../shared/progress.ts';
import { type RunRequestInput, runRequestSchema } from '../../shared/run.ts';
import type { LoadResult } from '../../shared/slot.ts';
import type { Arm } from '../../shared/transport.ts';
import type { Instruments } from '../kinds/comparison/conduct/measure-slot.ts';
import { RunUnderWay } from '../kinds/comparison/conduct/run-under-way.ts';
import { planFor } from '../kinds/comparison/plan/presets.ts';
import type { SlotOptions } from '../load/messages.ts';
import type { Generator } from '../load/start-generator.ts';
import type { ProcessSampler } from '../sampling/process-sampler.ts';
import { searchScenario } from '../target/storefront/search-scenario.ts';
import { loadInTest } from './block-in-test.ts';

/**
 * For tests of the conductor: a run whose generator answers from a script and moves a fake clock on by the time that a slot
 * takes.
 */
export type ScriptedRun = {
  run: RunUnderWay;
  instruments: Instruments;
  /** What the generator was told to run, in order. */
  slots: ({ arm: Arm } & SlotOptions)[];
  /** What was kept so far. */
  blocks: Block[];
  /** All that was told so far. */
  events: RunEvent[];
  close(): void;
};

/** What the generator counts in its nth slot, from 0; what is left out is as in a slot without trouble. */
export type Script = (arm: Arm, slot: SlotOptions, nth: number) => Partial<LoadResult>;

export type ScriptedRunOptions = {
  request?: RunRequestInput;
  plan?: Partial<Plan>;
  script?: Script;
  /** CPU of the target for each transaction, µs; null for a target that cannot be read. */
  cpuUs?: ((arm: Arm, nth: number) => number) | null;
};

export function openScriptedRun({
  request: input = {},
  plan = {},
  script = () => ({}),
  cpuUs = () => 500,
}: ScriptedRunOptions = {}): ScriptedRun {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  const request = runRequestSchema.parse(input);
  const blocks: Block[] = [];
  const events: RunEvent[] = [];
  const facts = {
    ...{ scenario: searchScenario, revisionId: null, preflight: null, cache: null },
    plan: { ...planFor(request, request.seed ?? 7), ratePerS: 500, idleMs: 0, ...plan },
  };
  const run = new RunUnderWay(
    { request, facts, secrets: {} },
    {
      signal: new AbortController().signal,
      tell: (event) => void events.push(event as RunEvent),
      async keep({ block }) {
        if (block !== undefined) blocks.push(block);
      },
    },
  );

  const slots: ScriptedRun['slots'] = [];
  const used: Record<Arm, number> = { baseline: 0, comparison: 0, twin: 0 };
  const generator: Generator = {
    pids: [0],
    async configure() {},
    async prepare() {
      return { connectionsOpened: 0, handshakesFull: 0, handshakesResumed: 0, negotiated: null, errors: [] };
    },
    async run(arm, slot) {
      const nth = slots.push({ arm, ...slot }) - 1;
      const load = { ...planned(slot), ...script(arm, slot, nth) };
      used[arm] += load.succeeded * (cpuUs?.(arm, nth) ?? 0);
      vi.advanceTimersByTime(slot.durationMs);
      return load;
    },
    async stop() {},
  };
  const sampler = (arm: Arm) => (cpuUs === null ? null : scriptedSampler(() => used[arm]));
  return {
    run,
    slots,
    instruments: {
      generator,
      samplers: { baseline: sampler('baseline'), comparison: sampler('comparison'), twin: sampler('twin') },
      counters: null,
      beforeSlot: null,
      readSocketLimits: null,
      readHost: () => ({ atUs: performance.now() * 1000, busyUs: 0, stealUs: 0 }),
      memoryBytes: new Map(),
      connectionsOpened: new Map(),
      runStartedAtMs: run.startedAtMs,
    },
    blocks,
    events,
    close: () => void vi.useRealTimers(),
  };
}

/** A slot that went as planned: the offered rate, or 1,000 transactions a second at the maximum. */
function planned({ durationMs, discardMs, ratePerS }: SlotOptions): LoadResult {
  const transactions = Math.round(((ratePerS ?? 1000) * durationMs) / 1000);
  const windowMs = durationMs - discardMs;
  return loadInTest({
    elapsedUs: durationMs * 1000,
    windowUs: windowMs * 1000,
    started: transactions,
    succeeded: transactions,
    succeededInWindow: Math.round(((ratePerS ?? 1000) * windowMs) / 1000),
    due: ratePerS === null ? null : transactions,
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
  };
}
