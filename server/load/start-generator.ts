import type { LoadResult } from '../../shared/slot.ts';
import type { Arm } from '../../shared/transport.ts';
import { type GeneratorProcess, startGeneratorProcess } from './generator-process.ts';
import { mergeParts, mergePrepared } from './merge-parts.ts';
import type { Configuration, Prepared, SlotOptions } from './messages.ts';

export type Generator = {
  pids: readonly number[];
  configure(configuration: Configuration): Promise<void>;
  /** Opens the connections that a slot expects to find. */
  prepare(arm: Arm): Promise<Prepared>;
  /** Runs one slot and resolves when its last response has come. */
  run(arm: Arm, slot: SlotOptions): Promise<LoadResult>;
  stop(): Promise<void>;
};

/**
 * Starts the load generator: one process, or several that share the virtual users and arrivals among them and are
 * told together. Calls reject with the problem `generator_failed` when one of them dies or hangs.
 */
export async function startGenerator(processes = 1): Promise<Generator> {
  const starts = await Promise.allSettled(Array.from({ length: processes }, startGeneratorProcess));
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const stop = async () => {
    await Promise.all(started.map((each) => each.stop()));
  };
  const failure = starts.find((start) => start.status === 'rejected');
  if (failure !== undefined) {
    await stop();
    throw failure.reason;
  }

  /** Every answer, also where one fails: a slot is never left running behind the caller's back. */
  async function ask<T>(question: (each: GeneratorProcess, index: number) => Promise<T>): Promise<T[]> {
    const answers = await Promise.allSettled(started.map(question));
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }

  return {
    pids: started.map(({ pid }) => pid),
    async configure(configuration) {
      // A process without a virtual user would have nothing to wait for.
      const of = Math.min(started.length, configuration.connections);
      started.length = of;
      await ask((each, index) => each.configure(configuration, { index, of }));
    },
    prepare: async (arm) => mergePrepared(await ask((each) => each.prepare(arm))),
    run: async (arm, slot) => mergeParts(await ask((each) => each.run(arm, slot))),
    stop,
  };
}
