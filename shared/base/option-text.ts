import type { Option, Typed } from './option.ts';
import { printNumber, printShare } from './quantity.ts';

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

/** What an option takes, to say so: `a whole number from 1 to 64`. */
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

/** What a side is called that differs by an option. */
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
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
