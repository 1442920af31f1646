import { z } from 'zod';
import { estimateSchema } from './comparison.ts';

/** Programs that work for a request: the target, and those whose CPU grows with its requests and rests without them. */

/** How a companion is connected to the rest, as a label; whether it counts is decided by its CPU alone. */
const tieSchema = z.enum(['connection', 'unix-socket', 'port', 'cgroup']);
export type Tie = z.infer<typeof tieSchema>;

export const programSchema = z.strictObject({
  /** Name of the file that it runs, or its own name for itself if that may not be read. */
  name: z.string(),
  /** Roots of its process trees. */
  pids: z.array(z.int().positive()),
  role: z.enum(['target', 'companion']),
  /** Null for the target, and for a companion without one. */
  tie: tieSchema.nullable(),
});
export type Program = z.infer<typeof programSchema>;

/** CPU of what cannot be seen from here, while the target is loaded. */
export const unseenSchema = z.strictObject({
  cores: z.number(),
  /** Share of the target's CPU; null where it is not certain that it works for the requests at all. */
  share: z.number().positive().nullable(),
});
export type Unseen = z.infer<typeof unseenSchema>;

/** The names of the programs besides the target, which tell runs apart: PIDs change with every start. */
export function namesBeside(programs: readonly Pick<Program, 'name' | 'role'>[] = []): string[] {
  return [...new Set(programs.flatMap(({ name, role }) => (role === 'companion' ? [name] : [])))].toSorted();
}

/** CPU of a program at load, µs per transaction. */
export const programCostSchema = programSchema.extend({
  baseline: estimateSchema,
  comparison: estimateSchema,
  /** Comparison less baseline. */
  delta: estimateSchema,
});
export type ProgramCost = z.infer<typeof programCostSchema>;
