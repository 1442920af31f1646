import { z } from 'zod';
import { estimateSchema } from '../../shared/base/units.ts';
import { type WrkPair, wrkPairSchema } from './wrk.ts';

/** Records of one question that is asked again and again. */

export const repeatTargets = ['button', 'managed', 'standing'] as const;
export type RepeatTarget = (typeof repeatTargets)[number];
export const repeatMachines = ['quiet', 'busy'] as const;
export type RepeatMachine = (typeof repeatMachines)[number];

export const repeatMetrics = ['cpu_at_load', 'throughput', 'latency_p50'] as const;
type RepeatMetric = (typeof repeatMetrics)[number];

/** Figures as printed. */
const shownSchema = z.strictObject({
  ratio: estimateSchema.nullable(),
  delta: estimateSchema.nullable(),
  baseline: estimateSchema.nullable(),
});

/** Figures read from a run's document. Null where it has none. */
const saidSchema = z.strictObject({
  users: z.int().positive().nullable(),
  /** Measured time at load and of one user together. */
  measuredS: z.number().nonnegative().nullable(),
  /** Windows in which TLS Toll itself used more than 2 % of the machine, out of those with that figure. */
  oursOver: z.strictObject({ windows: z.int().nonnegative(), of: z.int().positive() }).nullable(),
  metrics: z.strictObject({
    cpu_at_load: shownSchema,
    throughput: shownSchema,
    latency_p50: shownSchema,
  } satisfies Record<RepeatMetric, unknown>),
  decided: z.boolean(),
  /** The verdict, or why there is none. */
  said: z.string(),
});

export const askedRunSchema = saidSchema.extend({
  at: z.iso.datetime(),
  /** Load average of the machine over the last minute. */
  loadAverage: z.number().nonnegative(),
  /** ID in the permalink; null if the request was not accepted. */
  id: z.string().nullable(),
  /** Time from the request to the verdict. */
  verdictS: z.number().nonnegative(),
  endS: z.number().nonnegative(),
  /** Time from the request to the first block with an interval of CPU at load; null without one. */
  firstIntervalS: z.number().nonnegative().nullable(),
});
export type AskedRun = z.infer<typeof askedRunSchema>;
export const partSchema = z.union([askedRunSchema, wrkPairSchema]);
export type Part = z.infer<typeof partSchema>;

/** A run, and the pair of windows that followed it; null where it failed or has not come yet. */
export type Repetition = {
  target: RepeatTarget;
  machine: RepeatMachine;
  run: AskedRun;
  pair: WrkPair | null;
};

/** The parts of a document that are read: only the necessary ones, so that documents of other versions can be read too. */
const documentSchema = z.looseObject({
  state: z.string(),
  verdict: z.looseObject({ outcome: z.string() }).nullish(),
  problem: z.looseObject({ detail: z.string() }).nullish(),
  atLoad: z.looseObject({ users: z.int().positive() }).nullish(),
  metrics: z.array(
    z.looseObject({
      id: z.string(),
      ratio: estimateSchema.nullish(),
      delta: estimateSchema.nullish(),
      baseline: estimateSchema.nullish(),
    }),
  ),
  blocks: z.array(
    z.looseObject({
      windows: z.array(z.looseObject({ elapsedMs: z.number().optional(), oursRatio: z.number().nullish() })),
    }),
  ),
});

const mostOurs = 0.02;
const decidedOutcomes = ['overhead', 'no_overhead'];
const nothing = { ratio: null, delta: null, baseline: null };
export const saysNothing = {
  ...{ users: null, measuredS: null, oursOver: null, decided: false },
  metrics: { cpu_at_load: nothing, throughput: nothing, latency_p50: nothing },
};

/** @param json document at `/r/{id}.json` */
export function readSaid(json: unknown): z.infer<typeof saidSchema> {
  const document = documentSchema.parse(json);
  const { verdict, problem, state } = document;
  const windows = document.blocks.flatMap((block) => block.windows);
  const elapsed = windows.flatMap(({ elapsedMs }) => elapsedMs ?? []);
  const ours = windows.flatMap(({ oursRatio }) => oursRatio ?? []);
  const shown = (id: RepeatMetric) => {
    const {
      ratio = null,
      delta = null,
      baseline = null,
    } = document.metrics.find((each) => each.id === id) ?? {};
    return { ratio, delta, baseline };
  };
  return {
    users: document.atLoad?.users ?? null,
    measuredS: elapsed.length === 0 ? null : elapsed.reduce((sum, ms) => sum + ms, 0) / 1000,
    oursOver:
      ours.length === 0
        ? null
        : { windows: ours.filter((share) => share > mostOurs).length, of: ours.length },
    metrics: {
      cpu_at_load: shown('cpu_at_load'),
      throughput: shown('throughput'),
      latency_p50: shown('latency_p50'),
    },
    decided: decidedOutcomes.includes(verdict?.outcome ?? ''),
    said: verdict?.outcome ?? problem?.detail ?? state,
  };
}
