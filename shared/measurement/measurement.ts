import { z } from 'zod';
import { environmentSchema } from '../base/environment.ts';
import { problemSchema } from '../base/problem-schema.ts';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { kindNames } from './kind-names.ts';

/** A measurement is anything that waits in the queue and has a permalink. Its kind says what is measured. */

export const kindNameSchema = z.enum(kindNames, { error: `kind must be one of ${kindNames.join(', ')}` });

export const measurementStateSchema = z.enum([
  'queued',
  'running',
  'finished',
  'incomplete',
  'interrupted',
  'refused',
  'failed',
]);
export type MeasurementState = z.infer<typeof measurementStateSchema>;

export function isOver(state: MeasurementState): boolean {
  return state !== 'queued' && state !== 'running';
}

export const seedSchema = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

/** Fields that every document has. */
export const documentFrame = {
  id: permalinkIdSchema,
  state: measurementStateSchema,
  createdAt: unixMillisSchema,
  startedAt: unixMillisSchema.nullable(),
  endedAt: unixMillisSchema.nullable(),
  /** Problem that ended a measurement before it finished. */
  problem: problemSchema.nullable(),
  /** Warnings about the whole measurement, in sentences. */
  warnings: z.array(z.string()),
  environment: environmentSchema,
  /** Command line that repeats the measurement. */
  command: z.string(),
};

/** Fields that only the page of a measurement receives. */
export const shownFrame = {
  /** It came with the program. */
  example: z.literal(true).optional(),
};

/** First lines of a result, the same wherever it is shown: the difference in its unit, then percent, load, and both sides. */
export const headlineSchema = z.strictObject({
  /** `HTTPS costs 18.1 µs more server CPU per request`. */
  title: z.string(),
  /** `+75 % at full load (24.0 → 42.1 µs)`. */
  second: z.string(),
  /** Runs that it rests on, where there are several. */
  third: z.string().optional(),
});
export type Headline = z.infer<typeof headlineSchema>;

/** For a browser's tab, a badge, and other places of one line. */
export function headlineInOneLine({ title, second }: Headline): string {
  return second === '' ? title : `${title} · ${second}`;
}

/** Fields that every line of a list has. */
export const summaryFrame = {
  id: permalinkIdSchema,
  /** Path of its page, such as `/r/{id}`. */
  url: z.string(),
  /** The one that somebody wrote, else the generated one. */
  title: z.string(),
  generatedTitle: z.string(),
  tags: z.array(z.string()),
  /** Schedule that it was measured for; absent if somebody started it. */
  scheduleId: permalinkIdSchema.optional(),
  state: measurementStateSchema,
  createdAt: unixMillisSchema,
  endedAt: unixMillisSchema.nullable(),
  problem: problemSchema.nullable(),
  /** Absent before it has finished, and where nothing can be said. */
  headline: headlineSchema.optional(),
  /** 1 is next; null once it is not waiting. */
  queuePosition: z.int().positive().nullable(),
};

/**
 * Each measurement has one append-only event log, sent over SSE and replayed from any id. These events occur in every log.
 * `progress` and `stalled` describe a moment: they have no id and are sent once.
 */

export const progressEventSchema = z.strictObject({
  type: z.literal('progress'),
  /** Names differ between kinds. */
  phase: z.string(),
  /** 0 to 1; never goes back. */
  fraction: z.number().min(0).max(1),
  /** The widest first: rounds, then cells of the round. */
  counts: z.array(z.strictObject({ of: z.string(), done: countSchema, planned: countSchema })),
  /** Only falls, except where `longerS` grows. */
  secondsLeft: z.number().nonnegative().nullable(),
  /** By how much the plan has grown since the beginning; left out while it has not. */
  longerS: z.number().nonnegative().optional(),
});
export type ProgressEvent = z.infer<typeof progressEventSchema>;

export const lifeEvents = [
  z.strictObject({
    type: z.literal('state'),
    state: measurementStateSchema,
    queuePosition: z.int().positive().nullable(),
  }),
  progressEventSchema,
  /** The store fails, and what was measured waits in memory. Not in the log: it has no id. */
  z.strictObject({ type: z.literal('stalled'), detail: z.string() }),
  /** The last event of every log. The document is complete when it is sent. */
  z.strictObject({ type: z.literal('end'), state: measurementStateSchema }),
] as const;
export type LifeEvent = z.infer<(typeof lifeEvents)[number]>;

/**
 * Sent by a kind that adds something afterwards, such as a browser's visits: the measuring is done, and the document lacks only
 * the addition. `end` follows the addition.
 */
export const measuredEventSchema = z.strictObject({
  type: z.literal('measured'),
  state: measurementStateSchema,
  /** Null where nothing can be said. */
  headline: headlineSchema.nullable(),
});
export type MeasuredEvent = z.infer<typeof measuredEventSchema>;

/** Event of a kind without events of its own. */
export const lifeEventSchema = z.discriminatedUnion('type', [...lifeEvents]);

export const createdMeasurementSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  eventsUrl: z.string(),
  /** Null when an earlier request with the same Idempotency-Key made it, and it is over. */
  deleteToken: z.string().nullable(),
});
export type CreatedMeasurement = z.infer<typeof createdMeasurementSchema>;

/** Live events of a measurement with cells. */

export type MeasuringPhase = 'preparing' | 'warm-up' | 'measuring' | 'ends apart';

/** Changes in the medians of all rounds so far, at most twice per second. Provisional: never a result. */
const cellsEventSchema = z.strictObject({
  type: z.literal('cells'),
  medians: z.array(
    z.strictObject({
      /** The cell's id. */
      cell: z.string(),
      cpuUs: z.number().nonnegative(),
    }),
  ),
});

export const cellsEventsSchema = z.discriminatedUnion('type', [...lifeEvents, cellsEventSchema]);
export type CellsEvent = z.infer<typeof cellsEventsSchema>;
