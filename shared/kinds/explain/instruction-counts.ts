import { z } from 'zod';
import { bySideSchema } from '../../base/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';
import { estimateSchema } from '../comparison/comparison.ts';
import { costGroups } from './cost-groups.ts';

/** Instructions that a server executes in user space, exactly: what its processes did over the same requests, several times in a row. */

/** Of a request. */
const spentSchema = { baseline: nonNegativeSchema, comparison: nonNegativeSchema };

export const instructionCountsSchema = z.strictObject({
  /** Version of Valgrind. */
  valgrind: z.string(),
  /** Requests of a part. */
  requests: z.int().positive(),
  /** Of each part, instructions of all processes. */
  parts: bySideSchema(z.array(countSchema)),
  /** Of a request: the median of the parts, from the lowest to the highest. */
  perRequest: bySideSchema(estimateSchema),
  delta: estimateSchema,
  /** What instructions of the median part go to; they add up to it. */
  groups: z.array(z.strictObject({ group: z.enum(costGroups), ...spentSchema })),
  /** Those whose own instructions differ most, with those that they called and that have no names. */
  functions: z.array(z.strictObject({ name: z.string(), library: z.string(), ...spentSchema })),
});
export type InstructionCounts = z.infer<typeof instructionCountsSchema>;
