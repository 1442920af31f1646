import { printNumber, printShare } from './quantity.ts';
import type { SideName } from './transport.ts';

/** Values of options as people type and read them. */

/** The value of a text from the command line, or null for one that it cannot have. */
export function parseOption(option: Typed, text: string): { value: unknown } | null {
  switch (option.type) {
    case 'whole':
      return wholeIn(option, withoutUnit(text, option.unit));
    case 'number':
      return numberIn(option, numberOf(withoutUnit(text, option.unit)));
    case 'share':
      return numberIn(option, text.endsWith('%') ? numberOf(text.slice(0, -1)) / 100 : numberOf(text));
    case 'choice':
      return text === option.none ? { value: null } : choiceIn(option, text);
    case 'text':
      if (text !== '' && text === option.none) return { value: null };
      return (option.pattern ?? /./).test(text) ? { value: text } : null;
    case 'flag':
      if (text === 'on' || text === 'off') return { value: text === 'on' };
      return text === 'true' || text === 'false' ? { value: text === 'true' } : null;
    case 'list':
      return listIn(
        option,
        text.split(option.between ?? /[\s,;]+/).map((each) => each.trim()),
      );
  }
}

/** The values of a list, each as a word; null where one cannot be had, or there are too few or too many of them. */
export function listIn(
  { item, min = 1, most, distinct }: Listed,
  words: readonly string[],
): { value: unknown[] } | null {
  const values = words.map((word) => parseOption(item, word));
  if (values.length < min || values.length > most || values.includes(null)) return null;
  const value = values.map((each) => each?.value);
  return distinct && new Set(value).size < value.length ? null : { value };
}

type Listed = Extract<Typed, { type: 'list' }>;

/** `90` of `90s` and `90 s`. */
function withoutUnit(text: string, unit: string | undefined): string {
  return unit !== undefined && text.endsWith(unit) ? text.slice(0, -unit.length) : text;
}

function numberIn(option: Limits, value: number): { value: number } | null {
  return isWithin(option, value) ? { value } : null;
}

function wholeIn(option: Limits, text: string): { value: number } | null {
  const value = numberOf(text);
  return Number.isInteger(value) && isWithin(option, value) ? { value } : null;
}

function choiceIn(
  { choices, words, labels }: Extract<Typed, { type: 'choice' }>,
  text: string,
): { value: string } | null {
  const names = (choice: string) => [choice, words?.[choice], labels?.[choice]];
  const value =
    choices.find((choice) => choice === text) ??
    choices.find((choice) => names(choice).some((name) => name !== undefined && bare(name) === bare(text)));
  return value === undefined ? null : { value };
}

/** In whatever case, with or without hyphens. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
}

/** Accepted values as a phrase: `a whole number from 1 to 64`. */
export function takenBy(option: Typed, scale = 1): string {
  switch (option.type) {
    case 'whole':
      return `a whole number ${rangeOf(option)}`;
    case 'share':
      if (scale === 1) return `a percentage ${rangeOf(option, 100)}, such as 10%`;
      return `a number ${rangeOf(option, scale)}`;
    case 'number':
      return `a number ${rangeOf(option, scale)}`;
    case 'choice':
      return either.format(wordsOf(option));
    case 'text':
      return option.taken;
    case 'flag':
      return 'on or off';
    case 'list':
      return takenByList(option);
  }
}

function takenByList({ item, min = 1, most, distinct }: Listed): string {
  const count = `${min === 1 ? 'up to' : `${min} to`} ${printFigure(most)}${distinct ? ' different' : ''}`;
  switch (item.type) {
    case 'whole':
      return `${count} whole numbers ${rangeOf(item)}`;
    case 'choice':
      return `any of ${both.format(wordsOf(item))}`;
    case 'text':
      return `${count} ${item.taken}`;
    case 'flag':
      return 'on, off, or both';
  }
}

function wordsOf({ choices, words, none }: Extract<Typed, { type: 'choice' }>): string[] {
  return [...choices.map((choice) => words?.[choice] ?? choice), ...(none === undefined ? [] : [none])];
}

const both = new Intl.ListFormat('en-US', { type: 'conjunction' });

export const either = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** A value as the command line takes it. */
export function wordOf(option: Typed, value: unknown): string {
  if (option.type === 'list') return (value as unknown[]).map((each) => wordOf(option.item, each)).join(',');
  if (value === null && 'none' in option) return String(option.none);
  if (option.type === 'flag') return value === true ? 'on' : 'off';
  if (option.type === 'choice') return option.words?.[String(value)] ?? String(value);
  if (option.type === 'text' && option.print !== undefined) return option.print(value as never);
  return String(value);
}

/** A value as a list of facts has it: `200 ms`, `5 %`, `kept open`. */
export function printOption(option: Option, value: unknown): string {
  if (value === null || value === undefined) return option.usual ?? 'automatic';
  return printValue(option, value);
}

function printValue(option: Typed, value: unknown): string {
  switch (option.type) {
    case 'share':
      return printShare(Number(value));
    case 'whole':
    case 'number':
      return withUnit(printFigure(Number(value)), option.unit);
    case 'list':
      return withUnit(
        (value as unknown[]).map((each) => printValue(option.item, each)).join(', '),
        option.unit,
      );
    case 'choice':
      return option.labels?.[String(value)] ?? String(value);
    case 'flag':
      return option.labels?.[value === true ? 'true' : 'false'] ?? (value === true ? 'on' : 'off');
    case 'text':
      return wordOf(option, value);
  }
}

/** Name of a side that differs by an option. */
export function sideNameOf(option: Option, value: unknown): string {
  const named = option.sideNames?.[String(value)];
  if (named !== undefined) return named;
  const printed = printOption(option, value);
  return option.type === 'choice' || option.type === 'text' ? printed : `${option.label}: ${printed}`;
}

function withUnit(text: string, unit: string | undefined): string {
  return unit === undefined ? text : `${text} ${unit}`;
}

/** Help without the marks around what is typed, and without its links. */
export function plainHelp(help: string): string {
  return help.replaceAll('`', '').replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1');
}

type Limits = { max: number } & ({ min: number } | { above: number });

function isWithin(limits: Limits, value: number): boolean {
  return value <= limits.max && ('above' in limits ? value > limits.above : value >= limits.min);
}

function rangeOf(limits: Limits, scale = 1): string {
  const print = (limit: number) => printFigure(limit * scale);
  if ('above' in limits) return `above ${print(limits.above)} and up to ${print(limits.max)}`;
  return `from ${print(limits.min)} to ${print(limits.max)}`;
}

/** `5,000`, `0.25`: with the decimals that it has, free of what arithmetic adds. */
function printFigure(value: number): string {
  const plain = Number(value.toPrecision(12));
  return printNumber(plain, String(plain).split('.')[1]?.length ?? 0);
}

/** NaN for what is none, as an empty text is. */
export function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/**
 * An option of a measurement, as data: the schema of its request, its flag and help on the command line, its field, the command that
 * repeats it, and its documentation are all derived from one entry. Without Zod, because the first page sets up no schema.
 */
export type Option = Words & Typed;

type Words = {
  /** Label of its field, and its name in lists of facts: a noun. */
  label: string;
  /** Its effect, for `--help`, the documentation, and the API. Literal input is in backticks; links to pages are allowed. */
  help: string;
  /** Under its field, where that is not the help; null for nothing. */
  hint?: string | null;
  /** Effect of omitting the value, if the default does not show it. */
  usual?: string;
  /** Heading under which it stands, in `--help` and on the form. */
  group: string;
  /** Flag of the command line. Default: made of its name. Null for one that a verb reads in words of its own. */
  flag?: `--${string}` | null;
  /** It is given without a flag, as one of the words of the command. */
  positional?: true;
  /** Placeholder of the flag's value, as in `--window <ms>`. Default: made of its type. */
  takes?: string;
  /** It counts only while another option of its table has this value, or any but this one. */
  when?: { option: string; is: string } | { option: string; isNot: string };
  /** The baseline and the comparison may differ by it. */
  perSide?: true;
  /** It is of TLS: where a side has none, the sides do not differ by it. */
  ofTls?: true;
  /** Names of sides that differ by it, by its values, if not the value itself. */
  sideNames?: Readonly<Record<string, string>>;
  /** In place of nothing in its field, where that is not `usual`. */
  placeholder?: string;
  /** False for one whose field a screen draws by itself, or that has none. */
  field?: false;
  /** Part of the command that repeats a measurement even when it has its default. */
  spelledOut?: true;
  /** The plan is computed from it. Any other option is in the plan as requested. */
  workedOut?: true;
};

/** One value of a list: without words of its own. */
export type Item = Extract<Typed, { type: 'whole' | 'choice' | 'text' | 'flag' }>;

export type Typed =
  | { type: 'whole'; min: number; max: number; unit?: string; default?: number | null }
  /** `above` excludes itself, `min` does not. With a `scale`, people type the value divided by it, in `unit`. */
  | ({ type: 'number'; max: number; unit?: string; scale?: number; default?: number | null } & (
      | { min: number }
      | { above: number }
    ))
  /** 0.05 on the command line and in a request, 5 % for people. */
  | { type: 'share'; min: number; max: number; default: number | null }
  | {
      type: 'choice';
      choices: readonly string[];
      /** Labels in fields and lists of facts. Default: the choices themselves. */
      labels?: Readonly<Record<string, string>>;
      /** Words for the command line, if not the names. */
      words?: Readonly<Record<string, string>>;
      /** In a list that may hold null: what the command line calls it. */
      none?: string;
      default?: string | null;
    }
  | {
      type: 'text';
      pattern?: RegExp;
      /** Completes “takes”, as in “takes one name, such as X25519”. */
      taken: string;
      suggestions?: readonly string[];
      /** Labels of the suggestions in fields, if not their names. */
      labels?: Readonly<Record<string, string>>;
      /** In a list that may hold null: what the command line calls it. */
      none?: string;
      /** Prints the value of a request that contains more than the text. */
      print?: (value: never) => string;
      default?: string | null;
    }
  | {
      type: 'flag';
      default: boolean;
      /** Effect of the command-line flag, if it switches the option off. */
      offHelp?: string;
      /** Labels of on and off, where people choose between the two. */
      labels?: Readonly<Record<'true' | 'false', string>>;
    }
  | {
      type: 'list';
      item: Item;
      /** How many values; one if left out. */
      min?: number;
      most: number;
      /** No value comes twice. */
      distinct?: true;
      /** It is kept in this order. */
      ascending?: true;
      unit?: string;
      /** How the command that repeats it has them: with commas, with spaces, or each with a flag of its own. */
      written?: 'commas' | 'words' | 'flags';
      /** Separator between two items. Default: commas and spaces. */
      between?: RegExp;
      /** Its field is a box to tick for each value that is known; otherwise, of so many lines, or one. */
      ticked?: boolean;
      lines?: number;
      default?: readonly unknown[] | null;
    };

export type Options = Readonly<Record<string, Option>>;
export type OptionOf<Type extends Option['type']> = Extract<Option, { type: Type }>;

/** An option and where a request has it: `tls.version`, `pairUsers`. */
export type PlacedOption = {
  id: string;
  /** Part of the request that contains it; null for the request itself. */
  part: string | null;
  name: string;
  option: Option;
  /** Set for an option of one side alone. */
  side?: SideName;
};

export function placeOptions(part: string | null, options: Options): PlacedOption[] {
  return Object.entries(options).map(([name, option]) => ({
    ...{ id: part === null ? name : `${part}.${name}`, part, name, option },
  }));
}

/** Options that may differ by side, placed on one side. */
export function placeOnSide(side: SideName, options: readonly PlacedOption[]): PlacedOption[] {
  return options
    .filter(({ option }) => option.perSide === true)
    .map((placed) => {
      const part = `sides.${side}${placed.part === null ? '' : `.${placed.part}`}`;
      return { ...placed, id: `${part}.${placed.name}`, part, side };
    });
}

/** Values by the ids of their options, as a request has them. */
export function nestValues(values: Iterable<readonly [PlacedOption, unknown]>): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  for (const [{ part, name }, value] of values) {
    let place = request;
    for (const key of part?.split('.') ?? []) {
      place[key] ??= {};
      place = place[key] as Record<string, unknown>;
    }
    place[name] = value;
  }
  return request;
}

/** Value of an option in a request; undefined if it has none. */
export function valueIn(request: object, { part, name }: PlacedOption): unknown {
  let place: unknown = request;
  for (const key of part?.split('.') ?? []) place = (place as Record<string, unknown> | undefined)?.[key];
  return (place as Record<string, unknown> | undefined)?.[name];
}

/** Whether an option counts. @param other value of the one that its `when` names */
export function isCounting({ when }: Pick<Option, 'when'>, other: unknown): boolean {
  if (when === undefined) return true;
  return 'is' in when ? String(other) === when.is : String(other) !== when.isNot;
}

/** The headings and what stands under each, in the order of the table. */
export function groupOptions(options: readonly PlacedOption[]): [group: string, options: PlacedOption[]][] {
  return [...Map.groupBy(options, ({ option }) => option.group)];
}

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

/** Effect of a flag, with its choices. Literal input is in backticks. */
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

/** Value that applies without the flag; null for a flag that takes nothing. */
export function defaultInWords(option: Option): string | null {
  if (option.usual !== undefined) return option.usual;
  if (option.type === 'flag' || option.default === null || option.default === undefined) return null;
  return wordOf(option, option.default);
}

/** Type of a list's items, or the option itself. */
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
    if (option.type === 'text') return [`${flagOf(placed)} ${quoted(wordOf(option, value))}`];
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
  return /^[\w/.,~%+:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
