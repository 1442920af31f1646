import { z } from 'zod';
import { problemSchema } from '../base/problem-schema.ts';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { metricComparisonSchema } from '../kinds/comparison/comparison.ts';
import { createdMeasurementSchema, kindNameSchema, progressEventSchema } from '../measurement/measurement.ts';
import { labelsSchema } from '../measurement/runner.ts';
import { printLabels } from '../measurement/runner-labels.ts';
import { measurementSummarySchema } from './summary.ts';

/** A measurement that is repeated every hour, night or week: the same request, asked again by the server. */

export const scheduleLimits = { schedules: 20, times: 10_000 } as const;

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

const clockSchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day is written as 02:30, from 00:00 to 23:59');

/** Clock that `at` is read from, so a night stays a night when summer time begins. */
const zoneSchema = z
  .string()
  .max(100)
  .refine(isZone, 'a time zone is written as Europe/Berlin or UTC')
  .default('UTC');

export const rhythmSchema = z.discriminatedUnion(
  'every',
  [
    z.strictObject({ every: z.literal('hour'), minute: z.int().min(0).max(59).default(0), zone: zoneSchema }),
    z.strictObject({ every: z.literal('night'), at: clockSchema.default('02:30'), zone: zoneSchema }),
    z.strictObject({
      every: z.literal('week'),
      day: z.enum(weekdays, { error: `day must be one of ${weekdays.join(', ')}` }),
      at: clockSchema.default('02:30'),
      zone: zoneSchema,
    }),
  ],
  { error: 'every must be one of hour, night, week' },
);
export type Rhythm = z.infer<typeof rhythmSchema>;

const plan = {
  rhythm: rhythmSchema,
  /** It ends after that many measurements; null for no such end. */
  times: z.int().min(1).max(scheduleLimits.times).nullable(),
  /** Last day on which it measures, in its time zone; null for no such end. */
  lastDay: z.iso.date('a day is written as 2026-12-31').nullable(),
};

/** Request for a schedule: a measurement of this server, to be repeated. */
export const newScheduleSchema = z.strictObject({
  of: permalinkIdSchema,
  rhythm: plan.rhythm,
  times: plan.times.default(null),
  lastDay: plan.lastDay.default(null),
  /** That its runner must have; left out for those that were asked for before. */
  labels: labelsSchema.optional(),
});
export type NewSchedule = z.infer<typeof newScheduleSchema>;

export const scheduleStateSchema = z.enum(['on', 'paused', 'ended']);

const lastTimeSchema = z.strictObject({
  at: unixMillisSchema,
  /** Why nothing was measured then; null if something was. */
  problem: problemSchema.nullable(),
  /** The newest that it has measured, then or before; null without one, or where that was deleted. */
  measurement: measurementSummarySchema.nullable(),
});

export const scheduleSchema = z.strictObject({
  id: permalinkIdSchema,
  kind: kindNameSchema,
  /** Title of its measurement. */
  title: z.string(),
  ...plan,
  /** That its runner must have. */
  labels: labelsSchema,
  state: scheduleStateSchema,
  /** Null while it is paused, and once it has ended. */
  nextAt: unixMillisSchema.nullable(),
  /** How often it has measured. */
  measured: countSchema,
  last: lastTimeSchema.nullable(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

export const scheduleListSchema = z.strictObject({ schedules: z.array(scheduleSchema) });

export const createdScheduleSchema = z.strictObject({
  schedule: scheduleSchema,
  /** Deletes what the schedule measures. */
  deleteToken: z.string(),
});

export const scheduleChangeSchema = z.strictObject({ state: z.enum(['on', 'paused']) });

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * A batch is one request that several runners measure at once: a measurement for each set of labels, and one permalink for all of
 * them. In words for users, each set is a site.
 */

const mostSites = 8;

const siteSchema = labelsSchema.refine(
  (labels) => Object.keys(labels).length > 0,
  'a site has at least one label',
);

export const sitesSchema = z
  .array(siteSchema, { error: 'give a list of sites, such as [{"site":"fra"},{"site":"iad"}]' })
  .min(2, 'name at least two sites, such as [{"site":"fra"},{"site":"iad"}]')
  .max(mostSites, `there are at most ${mostSites} sites`)
  .superRefine((sites, context) => {
    const names = sites.map(printLabels);
    const place = names.findIndex((name, at) => names.indexOf(name) !== at);
    if (place < 0) return;
    context.addIssue({ code: 'custom', path: [place], message: `${names[place]} is named twice` });
  });

export const createdBatchSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  /** In the order of the sites. */
  measurements: z.array(createdMeasurementSchema.extend({ labels: labelsSchema })),
});
export type CreatedBatch = z.infer<typeof createdBatchSchema>;

/** A metric of a finished run, as its page prints it. */
export const siteFigureSchema = metricComparisonSchema.pick({
  ...{ id: true, unit: true, baseline: true, comparison: true, delta: true, ratio: true, outcome: true },
});
export type SiteFigure = z.infer<typeof siteFigureSchema>;

const batchSiteSchema = z.strictObject({
  labels: labelsSchema,
  /** ID of its measurement. */
  id: permalinkIdSchema,
  url: z.string(),
  /** Null once it was deleted. */
  measurement: measurementSummarySchema.nullable(),
  /** `binned` can be restored; null while it is there. */
  deleted: z.enum(['binned', 'removed']).nullable(),
  /** Name of the runner that measures or measured it; null before that. */
  runner: z.string().nullable(),
  /** Null unless it is running. */
  progress: progressEventSchema.nullable(),
  /** Figures of a finished run, in the order of its table; empty for other kinds. */
  figures: z.array(siteFigureSchema),
});
export type BatchSite = z.infer<typeof batchSiteSchema>;

export const batchSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  /** Title of the first measurement that still exists; null when all were deleted. */
  title: z.string().nullable(),
  createdAt: unixMillisSchema,
  sites: z.array(batchSiteSchema),
});
export type Batch = z.infer<typeof batchSchema>;

/** From a measurement to the batch that it is part of. */
export const batchLinkSchema = z.strictObject({
  id: permalinkIdSchema,
  url: z.string(),
  sites: z.array(labelsSchema),
});
export type BatchLink = z.infer<typeof batchLinkSchema>;

/** Deleted measurements wait in the bin, where they can be restored, until they are removed for good. */

export const binDays = 30;
export const binMs = binDays * 24 * 60 * 60_000;

const binnedSchema = z.strictObject({
  measurement: measurementSummarySchema,
  deletedAt: unixMillisSchema,
  /** When it is removed for good. */
  removedAt: unixMillisSchema,
});
export type Binned = z.infer<typeof binnedSchema>;

export const binListSchema = z.strictObject({
  binned: z.array(binnedSchema),
  nextCursor: z.string().nullable(),
});

export const mostAtOnce = 100;

/** Measurements, each with the delete token that was returned when it was created. */
export const binActionSchema = z.strictObject({
  items: z
    .array(z.strictObject({ id: permalinkIdSchema, deleteToken: z.string().min(1).max(200) }))
    .min(1, 'name at least one run')
    .max(mostAtOnce, `at most ${mostAtOnce} runs at once`),
});
export type BinAction = z.infer<typeof binActionSchema>;

/** One that is refused keeps no other from being done. */
export const binOutcomeSchema = z.strictObject({
  done: z.array(permalinkIdSchema),
  refused: z.array(z.strictObject({ id: permalinkIdSchema, problem: problemSchema })),
});
export type BinOutcome = z.infer<typeof binOutcomeSchema>;

/** How often something is measured, as people write and read it. */

/** `every hour`, `every night at 02:30 (Europe/Berlin)`, `every Monday at 02:30 (UTC)`. */
export function printRhythm(rhythm: Rhythm): string {
  if (rhythm.every === 'hour') {
    return rhythm.minute === 0 ? 'every hour' : `every hour at :${String(rhythm.minute).padStart(2, '0')}`;
  }
  const turn = rhythm.every === 'night' ? 'night' : rhythm.day;
  return `every ${turn} at ${rhythm.at} (${rhythm.zone})`;
}

const forms = [
  { every: 'hour', form: /^hourly(?: at :(?<minute>\d\d))?$/i },
  { every: 'night', form: /^nightly(?: at (?<at>\d?\d:\d\d))?$/i },
  { every: 'week', form: /^weekly(?: on (?<day>\w+))?(?: at (?<at>\d?\d:\d\d))?$/i },
];

/** `nightly`, `hourly at :15` or `weekly on Monday at 02:30`, by the clock of a time zone. Null for anything else. */
export function parseRhythm(text: string, zone: string): Rhythm | null {
  for (const { every, form } of forms) {
    const parts = form.exec(text.trim())?.groups;
    if (parts === undefined) continue;
    const { minute, at, day = 'Sunday' } = parts;
    const parsed = rhythmSchema.safeParse({
      ...{ every, zone },
      ...(minute !== undefined && { minute: Number(minute) }),
      ...(at !== undefined && { at: at.padStart(5, '0') }),
      ...(every === 'week' && { day: weekdays.find((known) => known.toLowerCase() === day.toLowerCase()) }),
    });
    return parsed.success ? parsed.data : null;
  }
  return null;
}
