import { capitalized } from '../../shared/base/cut.ts';
import {
  type Item,
  listIn,
  type Option,
  type OptionOf,
  parseOption,
  plainHelp,
  takenBy,
  wordOf,
} from '../../shared/base/option.ts';

/** Options as fields of a form: text as it is typed, and shares in percent. */

/** Text, a switch, or the words of what is ticked. */
export type Field = string | boolean | readonly string[];

/** Form value of an option. Empty means no value. */
type FieldOf<Each> = Each extends { type: 'flag' }
  ? boolean
  : Each extends { type: 'choice'; choices: readonly (infer Choice extends string)[] }
    ? Choice | (Each extends { default: null } ? '' : never)
    : string;

/** By the ids of the options. */
export type FieldsOf<Table, Part extends string = ''> = {
  -readonly [Name in keyof Table & string as `${Part}${Name}`]: FieldOf<Table[Name]>;
};

export function fieldOf(option: Option, value: unknown): Field {
  if (option.type === 'list') return listField(option, value as unknown[] | null | undefined);
  if (value === null || value === undefined) return '';
  switch (option.type) {
    case 'flag':
      return value === true;
    case 'share':
      return String(percentOf(Number(value)));
    case 'choice':
      return String(value);
    case 'number':
      return String(Number((Number(value) / (option.scale ?? 1)).toPrecision(12)));
    default:
      return wordOf(option, value);
  }
}

/** Nothing but null is what an empty field says. */
function listField({ item, ticked }: OptionOf<'list'>, values: readonly unknown[] | null | undefined): Field {
  const words = (values ?? []).map((value) => wordOf(item, value));
  if (ticked) return words;
  return values?.every((value) => value === null) ? '' : words.join(item.type === 'whole' ? ', ' : ' ');
}

/** Value of a field. If the option does not accept it, the field's text, which the schema then rejects. */
export function readField(option: Option, field: Field): unknown {
  if (typeof field === 'boolean') return field;
  if (isEmpty(option, field)) return option.default;
  return parsedField(option, field)?.value ?? (typeof field === 'string' ? field.trim() : field);
}

/** Whether the option takes what its field holds. */
export function isTaken(option: Option, field: Field): boolean {
  return typeof field === 'boolean' || isEmpty(option, field) || parsedField(option, field) !== null;
}

/** With nothing typed, where that says something. */
function isEmpty(option: Option, field: string | readonly string[]): boolean {
  const { default: usual = null } = option;
  if (option.type === 'list' && option.ticked && usual !== null) return false;
  const isNothing = usual === null || (Array.isArray(usual) && usual.every((each) => each === null));
  return isNothing && (typeof field === 'string' ? field.trim() : field).length === 0;
}

function parsedField(option: Option, field: string | readonly string[]): { value: unknown } | null {
  if (option.type === 'list') return listIn(option, wordsIn(option, field));
  const text = String(field).trim();
  if (option.type === 'choice' || option.type === 'text') return parseOption(option, text);
  const plain = withoutThousands.test(text) ? text.replaceAll(',', '') : text;
  const scale = option.type === 'share' ? 0.01 : 'scale' in option ? (option.scale ?? 1) : 1;
  if (scale === 1 || plain === '') return parseOption(option, plain);
  return parseOption(option, String(scale < 1 ? Number(plain) / (1 / scale) : Number(plain) * scale));
}

/** `1,200` and `1,200,000.5`. */
const withoutThousands = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

function wordsIn(
  { between = /[\s,;]+/ }: OptionOf<'list'>,
  field: string | readonly string[],
): readonly string[] {
  if (typeof field !== 'string') return field;
  return field
    .split(between)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Said at a field whose text the option does not take. */
export function messageOf(option: Option): string {
  if (option.type === 'list' && option.ticked) return 'Choose at least one.';
  const scale = option.type === 'share' ? 100 : option.type === 'number' ? 1 / (option.scale ?? 1) : 1;
  const taken = takenBy(option, scale);
  const mayBeEmpty = option.default === null && option.type !== 'text';
  return `${capitalized(taken)}${mayBeEmpty ? ', or empty' : ''}.`;
}

/** `Window, ms`. */
export function labelOf(option: Option): string {
  const unit = option.type === 'share' ? '%' : 'unit' in option ? option.unit : undefined;
  return unit === undefined ? option.label : `${option.label}, ${unit}`;
}

/** Hint below a field, with the value that applies while it is empty. */
export function hintOf(option: Option): string | undefined {
  const hint = option.hint === undefined ? `${plainHelp(option.help)}.` : option.hint;
  const mayBeEmpty =
    (option.default === null && ['whole', 'number', 'share'].includes(option.type)) ||
    (option.type === 'list' && !option.ticked && isEmpty(option, ''));
  const isSaid = option.usual !== undefined && option.placeholder === undefined;
  const parts = [hint, mayBeEmpty && isSaid ? `Empty: ${option.usual}.` : null];
  return parts.filter((part) => part !== null).join(' ') || undefined;
}

/** Whether its field takes the whole width of a form. */
export function isWide(option: Option): boolean {
  return option.type === 'list' && (option.ticked === true || option.lines !== undefined);
}

/** Choices for a list of choices. */
export function choicesOf(option: OptionOf<'choice' | 'flag'>): { value: string; label: string }[] {
  if (option.type === 'flag') {
    return ['true', 'false'].map((value) => ({ value, label: option.labels?.[value as 'true'] ?? value }));
  }
  const choices = option.choices.map((value) => ({ value, label: option.labels?.[value] ?? value }));
  if (option.default !== null) return choices;
  return [{ value: '', label: capitalized(option.usual ?? 'automatic') }, ...choices];
}

/** Items of a list that can be ticked, by the words of its field. */
export function itemChoicesOf({ item }: OptionOf<'list'>): { value: string; label: string }[] {
  return valuesOf(item).map((value) => {
    const word = wordOf(item, value);
    const labels: Readonly<Record<string, string>> | undefined = 'labels' in item ? item.labels : undefined;
    return { value: word, label: labels?.[String(value)] ?? word };
  });
}

function valuesOf(item: Item): readonly unknown[] {
  if (item.type === 'flag') return [item.default, !item.default];
  if (item.type === 'text') return item.suggestions ?? [];
  if (item.type === 'whole') return [];
  return item.none === undefined ? item.choices : [...item.choices, null];
}

/** Free of what arithmetic adds, such as 7.000000000000001. */
function percentOf(share: number): number {
  return Number((share * 100).toPrecision(6));
}
