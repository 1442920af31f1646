import { z } from 'zod';
import { problemSchema } from '../base/problem-schema.ts';
import { countSchema, permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { kindNameSchema } from './measurement.ts';
import { measurementSummarySchema } from './measurement-summary.ts';
import { labelsSchema } from './runner.ts';

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

/** Of the clock that `at` is read from, so a night stays a night when summer time begins. */
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

/** What is asked for: the request of a measurement of this server, again and again. */
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
  /** Of what it measures. */
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
