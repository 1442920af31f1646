import { type Rhythm, rhythmSchema, weekdays } from '../measurement/schedule.ts';

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
