import { vi } from 'vitest';
import type { Arm } from '../../shared/base/transport.ts';
import type { Block, RunEvent } from '../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import type { RunFacts } from '../../shared/kinds/comparison/run.ts';
import { type RunRequestInput, runRequestSchema } from '../../shared/kinds/comparison/run-request.ts';
import type { LoadResult } from '../../shared/kinds/comparison/slot.ts';
import type { SlotOptions, WindowOptions } from '../drive/load/load-messages.ts';
import type { Instruments } from '../kinds/comparison/conduct/block-edges.ts';
import { measureLaunch } from '../kinds/comparison/conduct/launch-under-way.ts';
import { RunUnderWay } from '../kinds/comparison/conduct/run-under-way.ts';
import { planFor } from '../kinds/comparison/run-plan.ts';
import { searchScenario } from '../targets/storefront/search-scenario.ts';
import { idInTest } from './id-in-test.ts';
import { scriptInstruments } from './scripted-instruments.ts';

/**
 * For tests of the conductor: a run whose generator answers from a script and moves a fake clock on by the time that a slot
 * takes.
 */
export type ScriptedRun = {
  run: RunUnderWay;
  instruments: Instruments;
  /** Measures its launches, as the conductor does around starting and stopping targets. */
  conduct(signal?: AbortSignal): Promise<void>;
  /** Orders to the generator, in order. */
  slots: ({ arm: Arm } & SlotOptions)[];
  windows: WindowOptions<Arm>[];
  /** Blocks kept so far. */
  blocks: Block[];
  /** All that was told so far. */
  events: RunEvent[];
  close(): void;
};

/** Counts of the generator on an arm in the nth block, from 0; omitted ones are those of a block without problems. */
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

/** Transaction time of one user, ms. */
const transactionMs: Record<Arm, number> = { baseline: 1, comparison: 1.2, twin: 1 };

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
    { id: idInTest, request, facts, secrets: {}, blocks: [] },
    {
      signal: new AbortController().signal,
      tell: (event) => void events.push(event as RunEvent),
      async keep(part) {
        if (part.block !== undefined) blocks.push(part.block);
        if (part.facts !== undefined) Object.assign(facts, part.facts);
      },
      async measured() {},
    },
  );

  const { instruments, slots, windows } = scriptInstruments<Arm>({
    arms: run.plan.arms,
    transactionMs,
    cpuUs: cpuUs === null ? null : (arm) => cpuUs(arm, blocks.length),
    counts: (arm) => script(arm, blocks.length),
    beforeWindow,
  });
  return {
    run,
    instruments,
    async conduct(signal = new AbortController().signal) {
      await run.enter('warm-up');
      for (let launch = 0; run.wantsLaunch; launch++) {
        await measureLaunch(run, launch, instruments, signal);
        run.endLaunch();
      }
      await run.enter('analyzing');
    },
    slots,
    windows,
    blocks,
    events,
    close: () => void vi.useRealTimers(),
  };
}
