import { z } from 'zod';
import { errorGroupSchema } from '../../base/outcome.ts';
import { type Arm, sideNames } from '../../base/transport.ts';
import { armSchema, bySideSchema } from '../../base/transport-schema.ts';
import { countSchema, estimateSchema, nonNegativeSchema } from '../../base/units.ts';
import { lifeEvents, measuredEventSchema } from '../../measurement/measurement.ts';
import { metricGroupSchema, metricIdSchema } from './comparison.ts';
import { operatingPointSchema } from './load-profile.ts';
import { type SlotOf, slotSchema } from './slot.ts';

/** Why a block was dropped, in the order of the method's rule 5. */
const dropReasonCodeSchema = z.enum([
  'errors',
  'under_sent',
  'late',
  'generator_saturated',
  'overrun',
  'cpu_unverified',
  'handshakes_disagree',
]);
export type DropReasonCode = z.infer<typeof dropReasonCodeSchema>;

const dropReasonSchema = z.strictObject({
  code: dropReasonCodeSchema,
  /** The fact with its figures, in a sentence. */
  message: z.string(),
  /** Metrics that it spoils. */
  spoils: z.union([metricGroupSchema, z.literal('all')]),
});
export type DropReason = z.infer<typeof dropReasonSchema>;

/** A letter an arm. */
const orderPattern = /^[A-Z]{1,12}$/;

/** Record of the machine and of failures, the same for any number of arms. */
export const stretch = {
  elapsedMs: nonNegativeSchema,
  /** Shares of the whole machine, as `hostUseSchema`; null if not readable. */
  stealRatio: nonNegativeSchema.nullable(),
  foreignRatio: nonNegativeSchema.nullable(),
  /** Share of the machine that TLS Toll itself took, without the target and the generator; absent where it was not read. */
  oursRatio: nonNegativeSchema.optional(),
  /** Set aside, because the machine was disturbed more in this second than in the rest of the block, or because a request failed. */
  aside: z.boolean(),
  /** Transactions of all arms that failed in it, in lockstep groups; left out where none did. */
  failed: z.int().positive().optional(),
};

/**
 * A stretch of a lockstep or maximum block from idle to idle, with the work of each arm and of the machine.
 * With one user about 200 ms; at load a sample, the sums of about a second of rounds.
 */
export const windowSchema = z.strictObject({
  /** Since the run started. */
  startedAtMs: nonNegativeSchema,
  ...stretch,
  /** Rounds of one turn per arm; absent in lockstep. */
  rounds: z.int().positive().optional(),
  /** Waited in all after bursts until the target slept, where its arms share processes; left out in lockstep. */
  settledMs: nonNegativeSchema.optional(),
  /** Comparison latency ÷ baseline latency: the median over pairs of transactions; in lockstep only. */
  pairRatio: z
    .strictObject({ value: z.number().positive(), twinValue: z.number().positive().nullable() })
    .optional(),
  /** Per arm; null for what could not be measured. */
  arms: z.record(
    armSchema,
    z.strictObject({
      transactions: countSchema,
      cpuUs: nonNegativeSchema.nullable(),
      /** Median latency of a transaction; in lockstep only. */
      medianUs: nonNegativeSchema.nullable(),
      /** At the maximum only. */
      perS: nonNegativeSchema.nullable(),
      /**
       * At load, where programs work for the target: what each of them used of `cpuUs`, in the order of the run's programs, the target first.
       * Below zero where a companion rested more than when nobody asked.
       */
      programsUs: z.array(z.number()).optional(),
      /** CPU of the kernel's own threads, in no sum. */
      kernelUs: z.number().optional(),
    }),
  ),
  /**
   * At load, CPU that each program used in the next turn, µs per transaction; 0 for a target that is read separately. Turns without
   * requests counted it as idle use, so `programsUs` lacks it for `subtracted` transactions of all arms.
   */
  lag: z.strictObject({ us: z.array(z.number()), subtracted: nonNegativeSchema }).optional(),
});
export type Window = z.infer<typeof windowSchema>;
/** One arm's part of a window. */
export type WindowArm = Window['arms'][Arm];
/** The same of whatever arms a plan declares. */
export type WindowOf<Name extends string> = Omit<Window, 'arms'> & { arms: Record<Name, WindowArm> };

/** Ratios of one metric over a block's pairs. */
const blockRatioSchema = z.strictObject({
  /** comparison divided by baseline (both http arms pooled, where there is a twin). */
  value: z.number().positive(),
  /** twin divided by baseline. */
  twinValue: z.number().positive().nullable(),
  /** `value` with no window set aside. */
  allValue: z.number().positive(),
  /** Standard error of the logarithm of `value`, from what varied within the block. */
  logError: nonNegativeSchema.nullable(),
  /** The Hodges-Lehmann center over windows, which withstands stalls: a witness of `value` where that is a ratio of sums. */
  robustValue: z.number().positive().optional(),
});
export type BlockRatio = z.infer<typeof blockRatioSchema>;

/**
 * A part of a run that is stored when it ends: one operating point in one epoch of one launch. In lockstep and at the
 * maximum each arm has one slot, the sum of its turns; in open load one slot an arm, in a random order.
 */
export const blockSchema = z.strictObject({
  index: countSchema,
  kind: operatingPointSchema,
  /** Which start of the target it was measured on, from 0. */
  launch: countSchema,
  /** Epoch of that launch, from 0. */
  epoch: countSchema,
  /** Order of the slots, by the letters of the plan's arms: A baseline, B comparison, N twin. */
  order: z.string().regex(orderPattern),
  /** Empty: the block counts. */
  reasons: z.array(dropReasonSchema),
  slots: z.array(slotSchema),
  /** Empty in open load. */
  windows: z.array(windowSchema),
  /** Metrics that are estimated from pairs; the others are compared slot by slot. */
  ratios: z.partialRecord(metricIdSchema, blockRatioSchema),
  /** Effect of the order of turns on the logarithm of a ratio at load; absent with too few rounds. */
  carryOver: z
    .partialRecord(
      metricIdSchema,
      z.strictObject({ center: z.number(), error: nonNegativeSchema, degrees: nonNegativeSchema }),
    )
    .optional(),
});
export type Block = z.infer<typeof blockSchema>;
/** The same of whatever arms a plan declares. */
export type BlockOf<Name extends string> = Omit<Block, 'slots' | 'windows'> & {
  slots: SlotOf<Name>[];
  windows: WindowOf<Name>[];
};

/** Errors that are alike on one side, counted; those of the twin are the baseline's. */
export const sideErrorSchema = errorGroupSchema.omit({ transport: true }).extend({
  side: z.enum(sideNames),
  /** Name of that side. */
  name: z.string(),
});
export type SideError = z.infer<typeof sideErrorSchema>;

/** Events of a run. */

/** A block has ended. */
const blockEventSchema = z.strictObject({
  type: z.literal('block'),
  index: countSchema,
  kind: operatingPointSchema,
  launch: countSchema,
  epoch: countSchema,
  /** Reasons for dropping the block, as in the block itself. */
  reasons: blockSchema.shape.reasons,
  /** Windows of the block, and those of them that were set aside. */
  windows: z.strictObject({ measured: countSchema, aside: countSchema }),
  /** This block's value for each metric that it counts for. Provisional, never a verdict. */
  values: z.partialRecord(metricIdSchema, bySideSchema(z.number())),
  /** The same as ratios comparison/baseline. */
  ratios: z.partialRecord(metricIdSchema, z.number()),
  /** The headline's ratio from all blocks so far; null until there is one. */
  interval: estimateSchema.nullable(),
});

const errorsEventSchema = z.strictObject({ type: z.literal('errors'), groups: z.array(sideErrorSchema) });

export const runEventSchema = z.discriminatedUnion('type', [
  ...lifeEvents,
  measuredEventSchema,
  blockEventSchema,
  errorsEventSchema,
]);
export type RunEvent = z.infer<typeof runEventSchema>;
