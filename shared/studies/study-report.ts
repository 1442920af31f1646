import { z } from 'zod';
import { printNumber } from '../base/quantity.ts';
import { estimateSchema, permalinkIdSchema, unixMillisSchema } from '../base/units.ts';
import { kindNameSchema } from '../measurement/measurement.ts';
import { listed } from '../words/example-words.ts';
import { type ClaimWord, claimWords } from './study-figure.ts';
import {
  type StudyMeasurementName,
  type StudyName,
  studyMeasurementNames,
  studyNames,
} from './study-plan.ts';

/** Each claim with today's figure, and the measurements that the figures come from. */

const nameSchema = z.enum(studyMeasurementNames as [StudyMeasurementName, ...StudyMeasurementName[]]);

const linkSchema = z.strictObject({ id: permalinkIdSchema, url: z.string() });

/** One measurement of the plan, as it stands. */
const plannedMeasurementSchema = z.strictObject({
  name: nameSchema,
  title: z.string(),
  kind: kindNameSchema,
  /** Body of the request, for `POST /measurements`. */
  request: z.looseObject({ kind: kindNameSchema }),
  /** On a quiet machine of two cores. */
  seconds: z.number(),
  /** Only where everything is asked for. */
  full: z.boolean(),
  /** The newest that finished here, or else the example that came with the program. */
  measured: linkSchema
    .extend({
      ...{ createdAt: unixMillisSchema, cpuModel: z.string(), cores: z.int() },
      isExample: z.boolean(),
    })
    .nullable(),
  /** That waits or runs. */
  going: linkSchema.nullable(),
  /** Ended early, newer than any that finished, and goes on where it was. */
  resumes: permalinkIdSchema.nullable(),
  /** Reason why the newest one did not finish, or the missing server; in a sentence. */
  why: z.string().nullable(),
  /** Cannot be measured on this machine. */
  lacking: z.boolean(),
  /** To be sent as `Idempotency-Key`, so that two who start it make one measurement. */
  key: z.string(),
});
export type PlannedMeasurement = z.infer<typeof plannedMeasurementSchema>;

const studyRowSchema = z.strictObject({
  /** ID of the claim. */
  id: z.string(),
  study: z.enum(studyNames as [StudyName, ...StudyName[]]),
  said: z.string(),
  printed: z.string().nullable(),
  unit: z.string(),
  table: z.string().nullable(),
  /** Required position of the whole interval, such as `within 17 to 22 %`; null if nothing is decided. */
  rule: z.string().nullable(),
  /** Replacement for something that no longer exists, or the reason why nothing is compared. */
  note: z.string().nullable(),
  word: z.enum(claimWords),
  /** Today's figure. */
  now: z.strictObject({ value: estimateSchema, today: z.string() }).nullable(),
  /** That answers, or would. */
  by: nameSchema.nullable(),
  /** Page of the measurement with the figure. */
  url: z.string().nullable(),
  /** Why it is not measured, or not decided although there is a figure. */
  why: z.string().nullable(),
});
export type StudyRow = z.infer<typeof studyRowSchema>;

const studySchema = z.strictObject({
  name: z.enum(studyNames as [StudyName, ...StudyName[]]),
  year: z.int(),
  title: z.string(),
  machine: z.string().nullable(),
  source: z.string(),
  date: z.string(),
  url: z.string().nullable(),
  group: z.enum(['study', 'field', 'pairs']),
});

export const studyReportSchema = z.strictObject({
  studies: z.array(studySchema),
  measurements: z.array(plannedMeasurementSchema),
  rows: z.array(studyRowSchema),
});
export type StudyReport = z.infer<typeof studyReportSchema>;

export function isMeasuredHere({ measured }: Pick<PlannedMeasurement, 'measured'>): boolean {
  return measured !== null && !measured.isExample;
}

/** Measurements that can still be started. */
export function missingOf(measurements: readonly PlannedMeasurement[], full: boolean): PlannedMeasurement[] {
  return measurements.filter(
    (each) => (full || !each.full) && !each.lacking && !isMeasuredHere(each) && each.going === null,
  );
}

/** `12 hold, 98 no longer, 3 not decided`: of the words that there are. */
export function countRows(rows: readonly Pick<StudyRow, 'word'>[]): string {
  const counts = claimWords.flatMap((word) => {
    const count = rows.filter((row) => row.word === word).length;
    return count === 0 ? [] : [`${printNumber(count, 0)} ${count === 1 ? word : plural[word]}`];
  });
  return listed(counts);
}

const plural: Record<ClaimWord, string> = {
  holds: 'hold',
  'no longer': 'no longer',
  'not decided': 'not decided',
  new: 'new',
  'not comparable': 'not comparable',
  'not measured': 'not measured',
};
