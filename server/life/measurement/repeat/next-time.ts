import { Temporal } from 'temporal-polyfill';
import { type Rhythm, weekdays } from '../../../../shared/measurement/schedule.ts';

/**
 * The first time of a rhythm after a moment, both in milliseconds since 1970; null when that is after its last day.
 * Where summer time skips a time of day, it is as much later that day; where it comes twice, the first one counts.
 */
export function nextTime(rhythm: Rhythm, after: number, lastDay: string | null): number | null {
  const now = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(rhythm.zone);
  const next = timesFrom(now, rhythm).find((time) => time.epochMilliseconds > after);
  if (next === undefined) throw new Error(`${JSON.stringify(rhythm)} has no time within a week`);
  // Both are written as 2026-11-22, so their order is that of the text.
  return lastDay !== null && next.toPlainDate().toString() > lastDay ? null : next.epochMilliseconds;
}

/** Those of two hours, or of the eight days that hold any weekday after now, and one more. */
function timesFrom(now: Temporal.ZonedDateTime, rhythm: Rhythm): Temporal.ZonedDateTime[] {
  if (rhythm.every === 'hour') {
    const { minute } = rhythm;
    const start = { minute, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 };
    return [0, 1, 2].map((hours) => now.add({ hours }).with(start));
  }
  const dates = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((days) => now.toPlainDate().add({ days }));
  return dates
    .filter(({ dayOfWeek }) => rhythm.every === 'night' || weekdays[dayOfWeek - 1] === rhythm.day)
    .map((date) => date.toZonedDateTime({ timeZone: rhythm.zone, plainTime: rhythm.at }));
}
