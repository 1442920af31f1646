import type { Timed } from '../../../shared/speed.ts';
import { startAskedProcess } from '../../process/start-asked-process.ts';
import { type Command, type Reply, replySchema } from './messages.ts';

/** The parent's end of a process that measures primitives. */
export type SpeedProcess = {
  /** Resolves to what an empty call costs, in microseconds, where there is one. */
  prepare(primitive: string, bytes: number | null): Promise<number | null>;
  measure(primitive: string, bytes: number | null, sliceMs: number): Promise<Timed[]>;
  stop(): Promise<void>;
};

/** Old ciphers and digests are in a provider that the library loads only when it is told to. */
export type Provider = 'default' | 'legacy';

/** One call of the dearest primitive, and then some. */
const overrun = 20;

/** Calls reject with a Refusal, or with the problem `lab_failed` when the process dies or hangs. */
export async function startSpeedProcess(provider: Provider): Promise<SpeedProcess> {
  const { ask, stop } = await startAskedProcess<Command, Exclude<Reply, { type: 'refused' }>>({
    script: new URL('./process.ts', import.meta.url),
    execArgv: ['--expose-gc', ...(provider === 'legacy' ? ['--openssl-legacy-provider'] : [])],
    replySchema,
    name: 'The process that measures primitives',
  });
  return {
    prepare: async (primitive, bytes) =>
      (await ask('prepared', { type: 'prepare', primitive, bytes })).emptyCallUs,
    async measure(primitive, bytes, sliceMs) {
      const command = { type: 'measure', primitive, bytes, sliceMs } as const;
      return (await ask('measured', command, overrun * sliceMs)).timed;
    },
    stop,
  };
}
