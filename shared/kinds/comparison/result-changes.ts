import { z } from 'zod';
import { bySideSchema, knownSideSchema } from '../../base/transport-schema.ts';
import {
  countSchema,
  estimateSchema,
  nonNegativeSchema,
  permalinkIdSchema,
  unitSchema,
  unixMillisSchema,
} from '../../base/units.ts';
import { headlineSchema, kindNameSchema } from '../../measurement/measurement.ts';
import { metricComparisonSchema, metricIdSchema } from './comparison.ts';
import { lengthSchema } from './load-profile.ts';

/** Changes between two results, at `/c/{from}..{to}`. Either may be the older one. */

export const resultPairSchema = z
  .string()
  .regex(/^[0-9A-Za-z]{22}\.\.[0-9A-Za-z]{22}$/, 'a pair is two IDs with two dots between them')
  .transform((text) => ({ from: text.slice(0, 22), to: text.slice(-22) }));
export type ResultPair = z.infer<typeof resultPairSchema>;

export function changesPath({ from, to }: ResultPair): string {
  return `/c/${from}..${to}`;
}

/** Something that was set up otherwise in one of them, in words. */
const setupDifferenceSchema = z.strictObject({ name: z.string(), from: z.string(), to: z.string() });
export type SetupDifference = z.infer<typeof setupDifferenceSchema>;

const comparedRunSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  title: z.string(),
  createdAt: unixMillisSchema,
  length: lengthSchema,
  sides: bySideSchema(knownSideSchema),
  launches: countSchema,
  /** Headline of this run alone. */
  headline: headlineSchema,
});
export type ComparedRun = z.infer<typeof comparedRunSchema>;

/**
 * `no_change`: the 90 % interval lies within the tolerance. `changed`: otherwise, the 95 % interval excludes no change, and the
 * metric was tested. `unknown`: one of the runs has no figure, or another one.
 */
const changeOutcomeSchema = z.enum(['changed', 'no_change', 'inconclusive', 'unknown']);
export type ChangeOutcome = z.infer<typeof changeOutcomeSchema>;

/** A row of a run's table, without the figures of its blocks. */
const comparedMetricSchema = metricComparisonSchema.omit({ pairs: true });
export type ComparedMetric = z.infer<typeof comparedMetricSchema>;

const metricChangeSchema = z.strictObject({
  id: metricIdSchema,
  unit: unitSchema,
  /** Null where the run does not have the metric. */
  from: comparedMetricSchema.nullable(),
  to: comparedMetricSchema.nullable(),
  /** The ratio of `to` divided by that of `from`, whose 95 % interval has those of both in it: 0.95 is 5 % less. */
  ratio: estimateSchema.nullable(),
  /** The difference of `to` less that of `from`, in the metric's unit. */
  delta: estimateSchema.nullable(),
  outcome: changeOutcomeSchema,
  /** In sentences: why it is not known. */
  reasons: z.array(z.string()),
});
export type MetricChange = z.infer<typeof metricChangeSchema>;

export const runChangesSchema = z.strictObject({
  kind: z.literal('comparison'),
  from: comparedRunSchema,
  to: comparedRunSchema,
  /** Parts of the question that differ, such as `targets`; empty for two runs of one question. */
  apart: z.array(z.string()),
  /** Change of the first metric that both know: CPU per transaction, throughput or median latency. */
  headline: headlineSchema,
  outcome: changeOutcomeSchema,
  /** Smallest change that matters, as a share. */
  tolerance: nonNegativeSchema,
  /** Metric of the headline; null where nothing is known. */
  metric: metricIdSchema.nullable(),
  setup: z.array(setupDifferenceSchema),
  /** In sentences: what to mind. */
  cautions: z.array(z.string()),
  metrics: z.array(metricChangeSchema),
});
export type RunChanges = z.infer<typeof runChangesSchema>;

/** Sweeps are laid over each other on a page of their own. */
const overlaidSchema = z.strictObject({ kind: kindNameSchema, url: z.string() });
export type Overlaid = z.infer<typeof overlaidSchema>;

export function overlaid(kind: Overlaid['kind'], from: string, to: string): Overlaid {
  return { kind, url: `/r/${to}?with=${from}` };
}

const comparedResultSchema = comparedRunSchema.pick({ id: true, url: true, title: true, createdAt: true });

/**
 * Figures by which results of a kind are compared. `multiple`: CPU divided by that of the baseline cell. `per_second`: operations per
 * second of CPU. `overhead`: HTTPS divided by HTTP. `ms`: milliseconds that TLS adds. `us`: µs that something adds. `bytes`: bytes that
 * something adds. `instructions`: per request.
 */
const figureNameSchema = z.enum(['multiple', 'per_second', 'overhead', 'ms', 'us', 'bytes', 'instructions']);
export type FigureName = z.infer<typeof figureNameSchema>;

/** A figure, by its ID in both documents. */
const figureChangeSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** If it is another one than that of most rows. */
  figure: figureNameSchema.optional(),
  /** Null where it has none. */
  from: estimateSchema.nullable(),
  to: estimateSchema.nullable(),
  /** `to` divided by `from`, with both intervals in its own; null unless both have one, and of milliseconds. */
  ratio: estimateSchema.nullable(),
  /** `to` less `from`, for milliseconds only; otherwise null. */
  delta: estimateSchema.nullable(),
  outcome: changeOutcomeSchema,
});
export type FigureChange = z.infer<typeof figureChangeSchema>;

export const figureChangesSchema = z.strictObject({
  kind: kindNameSchema.exclude(['comparison']),
  figure: figureNameSchema,
  from: comparedResultSchema,
  to: comparedResultSchema,
  /** Its second line says what the figures are. */
  headline: headlineSchema,
  setup: z.array(setupDifferenceSchema),
  cautions: z.array(z.string()),
  rows: z.array(figureChangeSchema),
});
export type FigureChanges = z.infer<typeof figureChangesSchema>;

export const resultChangesSchema = z.union([runChangesSchema, figureChangesSchema, overlaidSchema]);

/** A run’s difference in server CPU at load beside an explanation of it, in µs a transaction. */

const predictedSchema = z.strictObject({
  /** The measurement of handshakes that it is from. */
  handshakes: permalinkIdSchema,
  us: estimateSchema,
  /** How it was computed, with its numbers. */
  formula: z.string(),
});
export type Predicted = z.infer<typeof predictedSchema>;

export const explanationSchema = z.strictObject({
  run: permalinkIdSchema,
  explain: permalinkIdSchema,
  delta: estimateSchema,
  /** Null where too little was measured. */
  explained: estimateSchema.nullable(),
  /** Whether both are the same within their intervals; null where one is missing. */
  agrees: z.boolean().nullable(),
  sentence: z.string(),
  /** Changes in the set-up since the run. */
  changes: z.array(setupDifferenceSchema),
  /** Cost of a transaction's handshakes and bytes in the TLS lab; null if this machine has no suitable measurement. */
  lab: predictedSchema.nullable(),
});
export type Explanation = z.infer<typeof explanationSchema>;
