import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { z } from 'zod';
import type { Typed } from '../../../shared/base/option.ts';
import { parseOption, takenBy } from '../../../shared/base/option-text.ts';
import { problemOfIssues } from '../../../shared/base/problem.ts';

/** Reads the values of options. The verb names the option, and quotes a mistake as it was typed. */

export function valueIn(option: Typed, text: string): unknown {
  // How many a list has is judged once they are all there: its flag may come again.
  const parsed = parseOption(option.type === 'list' ? { ...option, min: 1 } : option, text);
  if (parsed === null) throw new InvalidArgumentError(takenBy(option));
  return parsed.value;
}

/** For a name out of some, in whatever case, with or without its hyphens. */
export function nameOf<const Name extends string>(choices: readonly Name[]): (text: string) => Name {
  return (text) => valueIn({ type: 'choice', choices }, text) as Name;
}

/** What a schema makes of them. Throws invalid_arguments. */
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
