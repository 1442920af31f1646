import { type Option, type PlacedOption, valueIn } from './option.ts';
import { either, wordOf } from './option-text.ts';

/** Options on the command line. */

/** `--pair-users`. */
function flagOf({ name, option, side }: Flagged): string {
  const flag = option.flag ?? `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return side === undefined ? flag : flag.replace('--', `--${side}-`);
}

type Flagged = Pick<PlacedOption, 'name' | 'option' | 'side'>;

/** `--pair-users <n>`. */
export function termOf(placed: Flagged): string {
  const { option } = placed;
  return option.type === 'flag'
    ? flagOf(placed)
    : `${flagOf(placed)} <${option.takes ?? taken[option.type]}>`;
}

const taken: Record<Exclude<Option['type'], 'flag'>, string> = {
  ...{ whole: 'n', number: 'n', share: 'share', choice: 'name', text: 'name', wholes: 'n' },
};

/** What a flag does when it is given, with the choices that it has; what is typed stands in backticks. */
export function helpOfFlag(option: Option): string {
  const { help } = option;
  if (option.type === 'flag') return option.offHelp ?? help;
  if (option.type === 'wholes') return `${help}; repeatable`;
  if (option.type !== 'choice') return help;
  const choices = option.choices.map((choice) => `\`${wordOf(option, choice)}\``);
  return choices.some((choice) => help.includes(choice)) ? help : `${help}: ${either.format(choices)}`;
}

/** What applies without the flag; null for a flag that takes nothing. */
export function defaultInWords(option: Option): string | null {
  if (option.usual !== undefined) return option.usual;
  if (option.type === 'flag' || option.default === null || option.default === undefined) return null;
  return wordOf(option, option.default);
}

/** The options of a command that asks for these values: those that differ from their defaults. */
export function flagsOf(options: readonly PlacedOption[], request: object): string[] {
  return options.flatMap((placed) => {
    const { option } = placed;
    const value = valueIn(request, placed);
    const usual = placed.side === undefined ? (option.default ?? null) : undefined;
    if (value === undefined || (option.spelledOut !== true && isSame(value, usual))) return [];
    if (option.type === 'flag') return [flagOf(placed)];
    const values = option.type === 'wholes' ? (value as number[]) : [value];
    return values.map((each) => `${flagOf(placed)} ${wordOf(option, each)}`);
  });
}

/** A list is the same with the same values in the same order. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || (Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other));
}
