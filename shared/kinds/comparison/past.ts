import { z } from 'zod';
import { negotiatedTlsSchema } from '../../base/tls-profile.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import {
  countSchema,
  estimateSchema,
  nonNegativeSchema,
  permalinkIdSchema,
  unixMillisSchema,
} from '../../base/units.ts';
import { atLoadSchema } from './at-load.ts';
import { metricIdSchema, priorSchema, verdictOutcomeSchema } from './comparison.ts';

/** Figures of earlier runs that a run uses: recorded before its own figures are made, so that those never change. */

/** A run among those of its question: what it found, and by what. */
const runOfQuestionSchema = z.strictObject({
  id: permalinkIdSchema,
  createdAt: unixMillisSchema,
  /** Null where that was not known. */
  machine: z.string().nullable(),
  cpuModel: z.string(),
  cores: countSchema,
  kernel: z.string(),
  /** Names of the programs that worked besides the target. */
  beside: z.array(z.string()).default([]),
  /** How its connections departed from the plan; null where they did not. */
  departed: z.string().nullable().default(null),
  sides: bySideSchema(
    z.strictObject({
      /** Null for a target that was not started here. */
      server: z
        .strictObject({ title: z.string(), version: z.string(), tlsLibrary: z.string().nullable() })
        .nullable(),
      /** Null without TLS. */
      negotiated: negotiatedTlsSchema.pick({ protocol: true, cipher: true, group: true }).nullable(),
    }),
  ),
  /** That its cost was read at; null where that is not known. */
  atLoad: atLoadSchema.nullable().default(null),
  /** Its primary metrics, but for those that it refused. */
  metrics: z.partialRecord(
    metricIdSchema,
    z.strictObject({
      /** Logarithm of the ratio, like `error` and `widened`. */
      center: z.number(),
      /** Without what moves between runs. */
      error: nonNegativeSchema,
      /** Amount that drift, twin, and carry-over added to either side of its interval. */
      widened: nonNegativeSchema,
      /** In the metric's unit. */
      baseline: z.number().positive(),
      /** In the metric's unit, with its error as that of the ratio; absent where it was not printed. */
      difference: z.strictObject({ center: z.number(), error: nonNegativeSchema }).optional(),
    }),
  ),
});
export type RunOfQuestion = z.infer<typeof runOfQuestionSchema>;

export const pastSchema = z.strictObject({
  /** Variance between launches that samples don't explain, from runs of this machine with a similar target at a similar load. */
  betweenLaunches: z.partialRecord(metricIdSchema, priorSchema),
  /** Variance of the log ratio between earlier runs of the same question. */
  betweenRuns: z.partialRecord(metricIdSchema, priorSchema),
  /** Runs of the same question that this run may be pooled with, oldest first. */
  earlier: z.array(runOfQuestionSchema).default([]),
  /** Earlier runs could not be looked up. */
  failed: z.literal(true).optional(),
});
export type Past = z.infer<typeof pastSchema>;

export const noPast: Past = { betweenLaunches: {}, betweenRuns: {}, earlier: [] };

/** Several runs of one question as one answer: a run pools itself and those before it, so a later one changes nothing here. */

const pooledMetricSchema = z.strictObject({
  /** comparison divided by baseline. */
  ratio: estimateSchema,
  /** In the metric's unit: the geometric mean of the runs; absent in pools that did not note it. */
  baseline: z.number().positive().optional(),
  /** In the metric's unit: of those of them whose baseline is within 25 % of this run's; absent where there are fewer than two. */
  difference: estimateSchema.extend({ runs: z.int().min(2) }).optional(),
  /** Outcome of all of them together, by the rules of a single run. */
  outcome: verdictOutcomeSchema,
  /** Oldest first; this run is the last. */
  runs: z.array(permalinkIdSchema).min(2),
  /** Standard deviation of what moves between runs, of the logarithm of the ratio. */
  between: nonNegativeSchema,
});
export type PooledMetric = z.infer<typeof pooledMetricSchema>;

/** Earlier runs of the question that cannot be compared, oldest first. */
export const leftOutSchema = z.array(
  z.strictObject({
    id: permalinkIdSchema,
    /** Such as `another kernel`, to stand in a sentence. */
    reason: z.string(),
  }),
);

export const poolSchema = z.strictObject({
  /** Primary ones; those that no earlier run can add to are left out. */
  metrics: z.partialRecord(metricIdSchema, pooledMetricSchema),
  leftOut: leftOutSchema,
});
export type Pool = z.infer<typeof poolSchema>;

/** Finished runs of the same question (target, scenario, transports, and plan), or price lists of one server, and the course of a metric over them. */

const seriesRunSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  createdAt: unixMillisSchema,
  /** comparison divided by baseline. */
  ratio: estimateSchema,
  /** The baseline, in the metric's unit; null if unknown. */
  first: z.number().nullable(),
  outcome: verdictOutcomeSchema,
  /** Versions newer or older than in the previous run: `nginx 1.29.1 → 1.29.3`. */
  versions: z.array(z.string()),
});
export type SeriesRun = z.infer<typeof seriesRunSchema>;

/** Runs between two steps. */
const seriesLevelSchema = z.strictObject({
  /** Places in `runs`, of the first one and after the last one. */
  from: countSchema,
  to: countSchema,
  /** Ratio of all these runs together. */
  ratio: estimateSchema,
  /** Range in which 95 % of single runs are expected, if nothing changes. */
  noise: z.strictObject({ lo: z.number(), hi: z.number() }),
  /** From the level before it to this one, divided; null for the first. */
  step: estimateSchema.nullable(),
});
export type SeriesLevel = z.infer<typeof seriesLevelSchema>;

export const seriesSchema = z.strictObject({
  title: z.string(),
  /** ID of the metric, or of the item of a price list. */
  metric: z.string(),
  /** Oldest first, the newest of them if there are very many. */
  runs: z.array(seriesRunSchema),
  levels: z.array(seriesLevelSchema),
  /** The run that is pinned to count from; null without one. */
  baseline: permalinkIdSchema.nullable(),
});
export type Series = z.infer<typeof seriesSchema>;
