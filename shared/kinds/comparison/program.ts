import { z } from 'zod';
import { sideNames } from '../../base/transport.ts';
import { countSchema, estimateSchema } from '../../base/units.ts';

/** Programs that work for a request: the target, and those whose CPU grows with its requests and rests without them. */

/** How a companion is connected to the rest, as a label; whether it counts is decided by its CPU alone. */
const tieSchema = z.enum(['connection', 'unix-socket', 'port', 'cgroup']);
export type Tie = z.infer<typeof tieSchema>;

export const programSchema = z.strictObject({
  /** Name of the file that it runs, or its own name for itself if that may not be read. */
  name: z.string(),
  /** Roots of its process trees; empty for the kernel. */
  pids: z.array(z.int().positive()),
  /** When each of them was started, in ticks since the machine was: a PID is used again. */
  startTicks: z.array(countSchema).optional(),
  /** The kernel's threads do the work of others, and are in no sum. */
  role: z.enum(['target', 'companion', 'kernel']),
  /** Null for the target, for a companion without one, and for the kernel. */
  tie: tieSchema.nullable(),
  /**
   * Where its children that live for one request were read: in a control group of its own, in steps of 10 ms from the process that waited for
   * them, or not all of them; absent without such children.
   */
  children: z.enum(['cgroup', 'ticks', 'lost']).optional(),
  /** Sides whose requests it takes first, where each side has a target of its own. */
  sides: z.array(z.enum(sideNames)).optional(),
  /** A target that passes on what it is sent, and who answers behind it; left out where the target itself answers. */
  part: z.enum(['forwarder', 'server']).optional(),
  /** It ended, or was started again, while it was measured. */
  ended: z.literal(true).optional(),
});
export type Program = z.infer<typeof programSchema>;

/** CPU of what cannot be seen from here, while the target is loaded. */
export const unseenSchema = z.strictObject({
  cores: z.number(),
  /** Share of the target's CPU; null where it is not certain that it works for the requests at all. */
  share: z.number().positive().nullable(),
});
export type Unseen = z.infer<typeof unseenSchema>;

/** Something that began during the run. */
export const begunSchema = z.strictObject({
  name: z.string(),
  /** Its CPU as a share of what the server used in the same samples: the most of any. */
  share: z.number().positive(),
});

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
  /**
   * CPU, µs per transaction, that it used in the turn after the request, which was often the other side's: its cost is shared out evenly, and
   * half of this is the half-width of its difference. Absent where that was a small part.
   */
  lateUs: z.number().positive().optional(),
});
export type ProgramCost = z.infer<typeof programCostSchema>;
