import { type Option, type PlacedOption, type Typed, valueIn } from './option.ts';
import { either, wordOf } from './option-text.ts';

/** Options on the command line. */

/** `--pair-users`. */
export function flagOf({ name, option, side }: Flagged): string {
  if (option.positional) return name;
  const flag = option.flag ?? `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return side === undefined ? flag : flag.replace('--', `--${side}-`);
}

type Flagged = Pick<PlacedOption, 'name' | 'option' | 'side'>;

/** `--pair-users <n>`. */
export function termOf(placed: Flagged): string {
  const { option } = placed;
  return option.type === 'flag' || option.positional
    ? flagOf(placed)
    : `${flagOf(placed)} <${option.takes ?? taken[option.type]}>`;
}

const taken: Record<Exclude<Option['type'], 'flag'>, string> = {
  ...{ whole: 'n', number: 'n', share: 'share', choice: 'name', text: 'name', list: 'names' },
};

/** What a flag does when it is given, with the choices that it has; what is typed stands in backticks. */
export function helpOfFlag(option: Option): string {
  const { help } = option;
  if (option.type === 'flag') return option.offHelp ?? help;
  if (option.type === 'list' && option.written === 'flags') return `${help}; repeatable`;
  const item = itemOf(option);
  if (item.type !== 'choice') return help;
  const words = [
    ...item.choices.map((choice) => wordOf(item, choice)),
    ...('none' in item ? [item.none] : []),
  ];
  const choices = words.map((word) => `\`${word}\``);
  return choices.some((choice) => help.includes(choice)) ? help : `${help}: ${either.format(choices)}`;
}

/** What applies without the flag; null for a flag that takes nothing. */
export function defaultInWords(option: Option): string | null {
  if (option.usual !== undefined) return option.usual;
  if (option.type === 'flag' || option.default === null || option.default === undefined) return null;
  return wordOf(option, option.default);
}

/** Of a list, what one of its values is. */
function itemOf(option: Option): Typed {
  return option.type === 'list' ? option.item : option;
}

/** The options of a command that asks for these values: those that differ from their defaults. */
export function flagsOf(options: readonly PlacedOption[], request: object): string[] {
  return options.flatMap((placed) => {
    const { option } = placed;
    const value = valueIn(request, placed);
    const usual = placed.side === undefined ? (option.default ?? null) : undefined;
    if (option.flag === null || value === undefined) return [];
    if (option.spelledOut !== true && isSame(value, usual)) return [];
    if (option.type === 'flag') return [flagOf(placed)];
    if (option.type !== 'list') return [`${flagOf(placed)} ${wordOf(option, value)}`];
    const words = (value as unknown[]).map((each) => wordOf(option.item, each));
    if (option.positional) return words.map(quoted);
    if (option.written === 'flags') return words.map((word) => `${flagOf(placed)} ${word}`);
    return [`${flagOf(placed)} ${words.join(option.written === 'words' ? ' ' : ',')}`];
  });
}

/** A list is the same with the same values in the same order. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || (Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other));
}

/** For a shell, where a word could be taken for more than itself. */
export function quoted(word: string): string {
  return /^[\w/.~%+:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
