import { z } from 'zod';
import { bySideSchema, knownSideSchema } from '../base/transport-schema.ts';
import { countSchema, estimateSchema, permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { metricIdSchema, verdictOutcomeSchema, verdictSchema } from '../kinds/comparison/comparison.ts';
import { lengthSchema } from '../kinds/comparison/load-profile.ts';
import { leftOutSchema } from '../kinds/comparison/past.ts';
import { loudProgramSchema } from '../kinds/comparison/program.ts';
import { qualities } from '../kinds/comparison/quality.ts';
import { type KindName, kindNames } from '../measurement/kind-names.ts';
import { summaryFrame } from '../measurement/measurement.ts';
import { targetKindSchema } from '../target/target.ts';

/** Finding of a run as a line shows it, pooled with the earlier runs of its question if it pools them. */
const foundSchema = z.strictObject({
  metric: metricIdSchema,
  outcome: verdictOutcomeSchema,
  /** comparison divided by baseline. */
  ratio: estimateSchema,
  /** `+6.1 µs`, of one request, transaction, or second; null where it is not known. */
  amount: z.string().nullable(),
  /** Quality of the run alone. */
  quality: z.enum(qualities),
});
export type Found = z.infer<typeof foundSchema>;

/** A measurement as one line of a list: what every kind has, and what a run says besides. */

export const runSummarySchema = z.strictObject({
  ...summaryFrame,
  kind: z.literal('comparison'),
  scenario: z.string(),
  target: z.string(),
  length: lengthSchema,
  sides: bySideSchema(knownSideSchema),
  /** Verdict of this run alone. */
  verdict: verdictSchema.nullable(),
  /** Figures of the headline, pooled where it pools; absent without a value in percent. */
  found: foundSchema.optional(),
  /** Earlier runs of its question that it does not pool; absent if there are none. */
  leftOut: leftOutSchema.optional(),
  /** Made by an earlier version, whose result this one cannot show. */
  earlier: z.literal(true).optional(),
  /** ID of the run that is part of it; left out where it continues none. */
  continues: permalinkIdSchema.optional(),
  /** Settings of both sides that are not the default; absent if there are none. */
  settings: z.array(z.string()).optional(),
  /** `TLS 1.3, AES-256-GCM`, as negotiated; left out where none was. */
  tls: z.string().optional(),
});
export type RunSummary = z.infer<typeof runSummarySchema>;

type PlainKind = Exclude<KindName, 'comparison'>;

function summaryOf<Kind extends PlainKind>(kind: Kind) {
  return z.strictObject({ ...summaryFrame, kind: z.literal(kind) });
}

type PlainSummarySchema = { [Kind in PlainKind]: ReturnType<typeof summaryOf<Kind>> }[PlainKind];
const plainKinds = kindNames.filter((kind) => kind !== 'comparison');

export const measurementSummarySchema = z.discriminatedUnion('kind', [
  runSummarySchema,
  ...(plainKinds.map((kind) => summaryOf(kind)) as unknown as PlainSummarySchema[]),
]);
export type MeasurementSummary = z.infer<typeof measurementSummarySchema>;

/** Other load on this machine, and how long a run is expected to take on it. */

const shareSchema = z.number().nonnegative();

const machineUseSchema = z.strictObject({
  /** How far back it goes; 0 when nobody has looked before. */
  overS: z.number().nonnegative(),
  /** Share of the machine's CPU time that its host gave to others (steal); null where it is not known yet. */
  stealRatio: shareSchema.nullable(),
  /** Share that other programs took; null also while a measurement has the machine, as its programs count too. */
  foreignRatio: shareSchema.nullable(),
});
export type MachineUse = z.infer<typeof machineUseSchema>;

export const holderKindSchema = z.enum(['measurement', 'recording', 'dryRun']);
export type HolderKind = z.infer<typeof holderKindSchema>;

/** Programs by their share of the machine's CPU time. */
const programUseSchema = z.strictObject({
  /** The loudest first, of those that are not TLS Toll's. */
  loudest: z.array(loudProgramSchema),
  /** TLS Toll with all that it has started; null where it is not known yet. */
  ours: shareSchema.nullable(),
});
export type ProgramUse = z.infer<typeof programUseSchema>;

const expectedTimeSchema = z.strictObject({
  target: targetKindSchema,
  length: lengthSchema,
  /** Until the headline is known to the precision of the length, or the time is up. */
  seconds: z.number().positive(),
  /** Finished runs of this machine that the time is from; 0 for what is typical of a quiet machine with two cores. */
  runs: z.int().nonnegative(),
  /** Half-width of one run's interval by what moves between runs alone, as a share of the ratio; 0 where nothing does. */
  between: shareSchema,
  /** Half-width of the interval that is expected to be printed, what moves between runs included, as a share of the ratio. */
  halfWidth: shareSchema,
});
export type ExpectedTime = z.infer<typeof expectedTimeSchema>;

export const machineSchema = z.strictObject({
  ...machineUseSchema.shape,
  cores: countSchema,
  /** Null while the machine has a holder, whom reading them would disturb. */
  programs: programUseSchema.nullable(),
  /** Null if the machine is free. */
  holder: holderKindSchema.nullable(),
  expected: z.array(expectedTimeSchema),
});
export type Machine = z.infer<typeof machineSchema>;

/** A question with all of its runs as one line: what the newest run says with those before it, and how its figure came about. */

/** Number of runs that a trend shows. */
export const mostTrendRuns = 20;

export const questionIdSchema = z.string().regex(/^[\w-]{22}$/);

const trendRunSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  createdAt: unixMillisSchema,
  ratio: estimateSchema,
  /** Whether the level changed with it. */
  isStep: z.boolean(),
  /** Why the newest run does not pool it, such as `another kernel`; absent where it does. */
  leftOut: z.string().optional(),
});
export type TrendRun = z.infer<typeof trendRunSchema>;

export const questionLineSchema = z.strictObject({
  id: questionIdSchema,
  newest: runSummarySchema,
  /** Finished ones. */
  runs: countSchema,
  /** Runs for the metric of the newest run's answer, oldest first. */
  trend: z.array(trendRunSchema).max(mostTrendRuns),
});
export type QuestionLine = z.infer<typeof questionLineSchema>;
