import { z } from 'zod';
import { sideNames } from '../../base/transport.ts';
import { countSchema, estimateSchema } from '../../base/units.ts';

/** Programs that work for a request: the target, and those whose CPU grows with its requests and rests without them. */

/** How a companion is connected to the rest, as a label; whether it counts is decided by its CPU alone. */
const tieSchema = z.enum(['connection', 'unix-socket', 'port', 'cgroup']);
export type Tie = z.infer<typeof tieSchema>;

export const programSchema = z.strictObject({
  /** Name of the file that it runs, or of its process if the file may not be read. */
  name: z.string(),
  /** Roots of its process trees; empty for the kernel. */
  pids: z.array(z.int().positive()),
  /** Start of each root, in ticks since the machine started, because PIDs are reused. */
  startTicks: z.array(countSchema).optional(),
  /** `kernel`: the kernel's threads, which work for others and are in no sum. */
  role: z.enum(['target', 'companion', 'kernel']),
  /** Null for the target, an untied companion, and the kernel. */
  tie: tieSchema.nullable(),
  /**
   * How its children that live for one request were read: by its own control group, in steps of 10 ms by the process that waited for them,
   * or not all of them; absent without such children.
   */
  children: z.enum(['cgroup', 'ticks', 'lost']).optional(),
  /** Sides whose requests it takes first, where each side has a target of its own. */
  sides: z.array(z.enum(sideNames)).optional(),
  /** `forwarder`: passes bytes on. `server`: answers behind it. Absent if the target itself answers. */
  part: z.enum(['forwarder', 'server']).optional(),
  /** Ended or was restarted during the run. */
  ended: z.literal(true).optional(),
});
export type Program = z.infer<typeof programSchema>;

/** CPU of processes that are not visible from here, while the target is loaded. */
export const unseenSchema = z.strictObject({
  cores: z.number(),
  /** Share of the target's CPU; null if it may not work for the requests at all. */
  share: z.number().positive().nullable(),
});
export type Unseen = z.infer<typeof unseenSchema>;

/** Share of the machine's CPU time that a program used. */
export const loudProgramSchema = z.strictObject({ name: z.string(), share: z.number().nonnegative() });
export type LoudProgram = z.infer<typeof loudProgramSchema>;

/** Program that began during the run. */
export const begunSchema = z.strictObject({
  name: z.string(),
  /** Largest share of the server's CPU that it used in the same samples. */
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
   * CPU, µs per transaction, that it used in the turn after the request, often the other side's: its cost is divided evenly, and half of
   * this is the half-width of its difference. Absent if it was a small part.
   */
  lateUs: z.number().positive().optional(),
});
export type ProgramCost = z.infer<typeof programCostSchema>;
