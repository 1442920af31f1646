import { Option as Flag, InvalidArgumentError } from '@commander-js/extra-typings';
import { nestValues, type PlacedOption } from '../../../shared/base/option.ts';
import { defaultInWords, helpOfFlag, termOf } from '../../../shared/base/option-flag.ts';
import { parseOption, plainHelp, takenBy } from '../../../shared/base/option-text.ts';

/** Options of a table as flags of a verb. */

type Verb = {
  addOption(flag: Flag): unknown;
  opts(): object;
  getOptionValueSource(name: never): string | undefined;
};

/** Each under the heading of its group. */
export function addOptions<Of extends Verb>(
  verb: Of,
  options: readonly PlacedOption[],
  { hidden = false } = {},
): Of {
  for (const placed of options) verb.addOption(flagFor(placed).hideHelp(hidden));
  return verb;
}

function flagFor(placed: PlacedOption): Flag {
  const { option } = placed;
  const usual = defaultInWords(option);
  const help = plainHelp(helpOfFlag(option));
  const flag = new Flag(termOf(placed), usual === null ? help : `${help} (default: ${usual})`);
  flag.helpGroup(`${option.group}:`);
  if (option.type === 'flag') return flag;
  return flag.argParser((text: string, previous?: unknown) => {
    const parsed = parseOption(option, text);
    if (parsed === null) throw new InvalidArgumentError(takenBy(option));
    return option.type === 'wholes' && Array.isArray(previous)
      ? [...previous, ...(parsed.value as number[])]
      : parsed.value;
  });
}

/** What was given, as a request has it. */
export function readOptions(verb: Verb, options: readonly PlacedOption[]): Record<string, unknown> {
  const values = verb.opts() as Record<string, unknown>;
  return nestValues(
    options.flatMap((placed) => {
      const { option } = placed;
      const name = flagFor(placed).attributeName();
      if (verb.getOptionValueSource(name as never) !== 'cli') return [];
      return [[placed, option.type === 'flag' ? !option.default : values[name]] as const];
    }),
  );
}
