import type { z } from 'zod';
import { type FieldError, fieldErrorsOf } from '../../../shared/base/problem.ts';
import { labelsTextSchema } from '../../../shared/measurement/runner.ts';
import {
  type NewSchedule,
  newScheduleSchema,
  type Rhythm,
  type weekdays,
} from '../../../shared/measurement/schedule.ts';

export type RepeatDraft = {
  every: Rhythm['every'];
  day: (typeof weekdays)[number];
  at: string;
  /** Empty for no such end, as `lastDay`. */
  times: string;
  lastDay: string;
  /** As text; `before` for those of the result. */
  labels: string;
};

export const blankRepeat: RepeatDraft = {
  every: 'night',
  day: 'Sunday',
  at: '02:30',
  times: '',
  lastDay: '',
  labels: 'before',
};

/** @param zone the clock that its times are read from */
export function parseRepeat(
  of: string,
  { every, day, at, times, lastDay, labels }: RepeatDraft,
  zone: string,
): { schedule: NewSchedule } | { errors: FieldError[] } {
  const rhythms: Record<RepeatDraft['every'], z.input<typeof newScheduleSchema>['rhythm']> = {
    hour: { every: 'hour', zone },
    night: { every: 'night', at, zone },
    week: { every: 'week', day, at, zone },
  };
  const parsed = newScheduleSchema.safeParse({
    of,
    rhythm: rhythms[every],
    times: times.trim() === '' ? null : Number(times),
    lastDay: lastDay === '' ? null : lastDay,
    labels: labels === 'before' ? undefined : labelsTextSchema.parse(labels),
  });
  return parsed.success ? { schedule: parsed.data } : { errors: fieldErrorsOf(parsed.error) };
}
