import { Argument, Option as Flag } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { nestValues, type Option, type PlacedOption } from '../../../shared/base/option.ts';
import { defaultInWords, flagOf, helpOfFlag, termOf } from '../../../shared/base/option-flag.ts';
import { plainHelp } from '../../../shared/base/option-text.ts';
import { fieldErrorsOf, type ProblemError, problem, problemOfIssues } from '../../../shared/base/problem.ts';
import { valueIn } from './option-values.ts';

/** Options of a table as flags of a verb. */

type Verb = {
  addArgument(argument: Argument): unknown;
  addOption(flag: Flag): unknown;
  processedArgs: readonly unknown[];
  opts(): object;
  getOptionValueSource(name: never): string | undefined;
};

/** Each under the heading of its group. */
export function addOptions<Of extends Verb>(
  verb: Of,
  options: readonly PlacedOption[],
  { hidden = false } = {},
): Of {
  for (const placed of options) {
    const { name, option } = placed;
    if (option.positional) verb.addArgument(new Argument(`[${name}...]`, helpOf(option)));
    else if (option.flag !== null) verb.addOption(flagFor(placed).hideHelp(hidden));
  }
  return verb;
}

function helpOf(option: Option): string {
  const usual = defaultInWords(option);
  const help = plainHelp(helpOfFlag(option));
  return usual === null ? help : `${help} (default: ${usual})`;
}

function flagFor(placed: PlacedOption): Flag {
  const { option } = placed;
  const flag = new Flag(termOf(placed), helpOf(option));
  flag.helpGroup(`${option.group}:`);
  if (option.type === 'flag') return flag;
  return flag.argParser((text: string, previous?: unknown) => {
    const value = valueIn(option, text);
    return option.type === 'list' && Array.isArray(previous) ? [...previous, ...(value as unknown[])] : value;
  });
}

/** What was given, as a request has it. */
export function readOptions(verb: Verb, options: readonly PlacedOption[]): Record<string, unknown> {
  const values = verb.opts() as Record<string, unknown>;
  return nestValues(
    options.flatMap((placed) => {
      const { option } = placed;
      if (option.flag === null) return [];
      if (option.positional) {
        const [words = []] = verb.processedArgs as [string[]?];
        return words.length === 0 ? [] : [[placed, words] as const];
      }
      const name = flagFor(placed).attributeName();
      if (verb.getOptionValueSource(name as never) !== 'cli') return [];
      return [[placed, option.type === 'flag' ? !option.default : values[name]] as const];
    }),
  );
}

/** What is wrong with a request that was made of these options, by the flag that has to change. */
export function problemOfOptions(error: z.ZodError, options: readonly PlacedOption[]): ProblemError {
  const errors = fieldErrorsOf(error);
  const [first] = errors;
  const placed = options.find(({ id }) => id === first?.field);
  if (first === undefined || placed === undefined) {
    return problemOfIssues('invalid_arguments', error, 'The arguments');
  }
  return problem('invalid_arguments', { detail: `${flagOf(placed)}: ${first.message}`, errors });
}
