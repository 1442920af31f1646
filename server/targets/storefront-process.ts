import { problem } from '../../shared/base/problem.ts';
import type { TargetCounters } from '../../shared/target/target.ts';
import { namesCompiledFlags, removePerfMaps } from '../base/process/perf-maps.ts';
import { startAskedProcess, steadyHeap } from '../base/process/start-asked-process.ts';
import { questions, type StartOrder } from './storefront/messages.ts';
import type { Perturbation } from './storefront/perturbation.ts';

export type StorefrontProcess = {
  pid: number;
  port: number;
  counters(): Promise<TargetCounters>;
  perturb(perturbation: Perturbation | null): Promise<void>;
  /** Resolves with how it ended, once it has: `SIGKILL`, `exit code 1`. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

const startMs = 60_000;

/**
 * V8 compiles a function after this many calls instead of up to 3,000, so that 1,500 transactions warm a process up instead of 4,350. A
 * warm process costs the same either way, within 4 %; `npm run bench -- warm-up`.
 */
const compiledEarly = [
  '--invocation-count-for-maglev=50',
  '--invocation-count-for-turbofan=150',
  '--minimum-invocations-after-ic-update=50',
];

/** Resolves when the process listens. A process that cannot start, or takes too long, is gone when this rejects. */
export async function startProcess(
  order: StartOrder,
  { namesCompiled = false, signal }: { namesCompiled?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<StorefrontProcess> {
  const { pid, ask, ended, stop } = await startAskedProcess({
    script: new URL('./storefront/process.ts', import.meta.url),
    questions,
    name: 'A storefront process',
    code: 'target_died',
    refused: (reason) =>
      problem('target_unreachable', `A storefront process could not do its work: ${reason}.`),
    graceMs: 5000,
    execArgv: [...(namesCompiled ? namesCompiledFlags : []), ...steadyHeap, ...compiledEarly],
    serialization: 'json',
  });
  if (namesCompiled) void ended.then(() => removePerfMaps([pid]));
  try {
    return {
      pid,
      port: await ask('start', order, { expectedMs: startMs, signal }),
      counters: () => ask('counters', undefined),
      perturb: (perturbation) => ask('perturb', perturbation),
      ended,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
