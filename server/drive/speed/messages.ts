import { z } from 'zod';
import { nonNegativeSchema } from '../../../shared/base/units.ts';
import { timedSchema } from '../../../shared/kinds/speed/speed.ts';

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
