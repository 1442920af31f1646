import { problem } from '../../../shared/base/problem.ts';
import { type NewSchedule, newScheduleSchema, type Schedule } from '../../../shared/measurement/schedule.ts';
import { parseRhythm, printRhythm } from '../../../shared/words/rhythm-words.ts';
import { parsedBy } from './option-values.ts';

/** How often something is measured, without what that is. */
export type Repeat = Omit<NewSchedule, 'of'>;

/** The option and its meaning, the same for every verb that has it. */
export const repeatOptions = {
  repeat: [
    '--repeat <when>',
    'Measure it again: hourly, nightly (at 02:30), weekly (on Sunday), or as in "weekly on Monday at 03:00"',
  ],
  times: ['--repeat-times <n>', 'Stop after this many measurements'],
  until: ['--repeat-until <day>', 'Last day on which to repeat it, such as 2026-12-31'],
} as const;

type Values = { repeat?: string; repeatTimes?: number; repeatUntil?: string };

/** By the clock of this machine. Null without --repeat. Throws invalid_arguments. */
export function repeatOf({ repeat, repeatTimes, repeatUntil }: Values): Repeat | null {
  if (repeat === undefined) {
    if (repeatTimes === undefined && repeatUntil === undefined) return null;
    throw problem('invalid_arguments', '--repeat-times and --repeat-until need --repeat.');
  }
  const rhythm = parseRhythm(repeat, Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (rhythm === null) {
    throw problem(
      'invalid_arguments',
      `--repeat takes hourly, nightly or weekly, as in "nightly at 03:00" or "weekly on Monday at 03:00", not "${repeat}".`,
    );
  }
  const asked = { rhythm, times: repeatTimes, lastDay: repeatUntil };
  return parsedBy(newScheduleSchema.omit({ of: true }), asked);
}

/** `It is measured every night at 02:30 (UTC), next on 2026-11-23 at 02:30.` */
export function printRepeat({ id, rhythm, nextAt }: Schedule): string {
  const next = nextAt === null ? '' : `, next on ${printMoment(nextAt)}`;
  return `Repeats ${printRhythm(rhythm)}${next}. To stop it: npx tls-toll schedules delete ${id}\n`;
}

/** `2026-11-22 14:05`, by the clock of this machine. */
export function printMoment(unixMs: number): string {
  return moment.format(unixMs).replace(',', '');
}

const moment = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
