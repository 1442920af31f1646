import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { parseOption, type Typed, takenBy } from '../../../shared/base/option.ts';
import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import { type Labels, labelsTextSchema } from '../../../shared/measurement/runner.ts';
import {
  type NewSchedule,
  newScheduleSchema,
  parseRhythm,
  printRhythm,
  type Schedule,
} from '../../../shared/results/schedule.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';

export function valueIn(option: Typed, text: string): unknown {
  // How many a list has is judged once they are all there: its flag may come again.
  const parsed = parseOption(option.type === 'list' ? { ...option, min: 1 } : option, text);
  if (parsed === null) throw new InvalidArgumentError(takenBy(option));
  return parsed.value;
}

/** For a name out of some, in whatever case, with or without its hyphens. */
export function oneOf<const Name extends string>(choices: readonly Name[]): (text: string) => Name {
  return (text) => valueIn({ type: 'choice', choices }, text) as Name;
}

/** The given values, parsed by the schema. Throws invalid_arguments. */
export function parsedBy<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  subject = 'The arguments',
): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw problemOfIssues('invalid_arguments', parsed.error, subject);
}

const ids = { type: 'list', item: { type: 'whole', min: 1, max: 2 ** 31 }, most: 100 } as const;

/** For process IDs or ports, with commas in between. */
export function idsIn(text: string): number[] {
  return valueIn(ids, text) as number[];
}

/** For the processes of a target: one, or several with commas in between. */
export function pidsIn(text: string): number | number[] {
  const pids = idsIn(text);
  const [first] = pids;
  return pids.length === 1 && first !== undefined ? first : pids;
}

/** For an option with one number. */
export function numberIn(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('a number');
  return value;
}

/** The same for every verb that measures. */
export const labelsOption = [
  '--labels <list>',
  'Measure on a runner with these labels, such as site=fra,cpu=arm; repeatable, once for each site',
  (text: string, previous: Labels[] = []) => [...previous, labelsIn(text)],
] as const;

/** Throws invalid_arguments. */
export function labelsIn(text: string): Labels {
  return parsedBy(labelsTextSchema, text, '--labels');
}

/** How often something is measured, without what that is. */
export type Repeat = Omit<NewSchedule, 'of'>;

/** The option and its meaning, the same for every verb that has it. */
export const repeatOptions = {
  repeat: [
    '--repeat <when>',
    'Repeat the run: hourly, nightly (at 02:30), weekly (on Sunday), or as in "weekly on Monday at 03:00"',
  ],
  times: ['--repeat-times <n>', 'Stop after this many runs'],
  until: ['--repeat-until <day>', 'Last day on which to repeat the run, such as 2026-12-31'],
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

/** Checks before a long measurement that its result can be written. Throws invalid_arguments, naming the option of the path. */
export function demandWritable(path: string, option: string): void {
  if (isWritable(path)) return;
  throw problem(
    'invalid_arguments',
    `${option}: ${path} cannot be written. Give a file in a directory that you can write to.`,
  );
}

/** A file that is there must be writable itself, as `/dev/stdout` is; a new one needs its directory. */
function isWritable(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    accessSync(found === undefined ? `${dirname(path)}/` : path, constants.W_OK);
    return found?.isDirectory() !== true;
  } catch {
    return false;
  }
}

/** Throws file_unwritable, naming the option of the path. */
export function writeText(path: string, text: string, option: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw problemOfError('file_unwritable', `${option}: ${path} cannot be written`, error);
  }
}
