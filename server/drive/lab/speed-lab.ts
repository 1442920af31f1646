import { z } from 'zod';
import { nonNegativeSchema } from '../../../shared/base/units.ts';
import { type Timed, timedSchema } from '../../../shared/kinds/speed/speed.ts';
import { startAskedProcess, steadyHeap } from '../../base/process/asked-process.ts';
import { labGraceMs } from './handshake-lab.ts';

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

/** Calls reject with an AnswerProblem, or with the problem `lab_failed` when the process dies or hangs. */
export async function startSpeedProcess(provider: Provider): Promise<SpeedProcess> {
  const { ask, stop } = await startAskedProcess({
    script: new URL('./speed-process.ts', import.meta.url),
    questions,
    name: 'The process that measures primitives',
    code: 'lab_failed',
    graceMs: labGraceMs,
    execArgv: [...steadyHeap, '--expose-gc', ...(provider === 'legacy' ? ['--openssl-legacy-provider'] : [])],
  });
  return {
    prepare: (primitive, bytes) => ask('prepare', { primitive, bytes }),
    measure: (primitive, bytes, sliceMs) =>
      ask('measure', { primitive, bytes, sliceMs }, { expectedMs: overrun * sliceMs }),
    stop,
  };
}

const what = { primitive: z.string(), bytes: z.int().positive().nullable() };

export const questions = {
  /**
   * Makes keys and runs everything until the compiler has done with it. Answers what a signature's call that has nothing
   * to verify costs, in microseconds; null for everything else.
   */
  prepare: { question: z.strictObject(what), answer: nonNegativeSchema.nullable() },
  measure: {
    question: z.strictObject({ ...what, sliceMs: z.number().positive() }),
    answer: z.array(timedSchema),
  },
};
