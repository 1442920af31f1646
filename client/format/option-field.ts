import { capitalized } from '../../shared/base/capitalized.ts';
import type { Option, OptionOf } from '../../shared/base/option.ts';
import { parseOption, plainHelp, takenBy, wordOf } from '../../shared/base/option-text.ts';

/** Options as fields of a form: text as it is typed, and shares in percent. */

/** What a form holds of an option. Empty is for no value. */
type FieldOf<Each> = Each extends { type: 'flag' }
  ? boolean
  : Each extends { type: 'choice'; choices: readonly (infer Choice extends string)[] }
    ? Choice | (Each extends { default: null } ? '' : never)
    : string;

/** By the ids of the options. */
export type FieldsOf<Table, Part extends string = ''> = {
  -readonly [Name in keyof Table & string as `${Part}${Name}`]: FieldOf<Table[Name]>;
};

export function fieldOf(option: Option, value: unknown): string | boolean {
  if (value === null || value === undefined) return '';
  switch (option.type) {
    case 'flag':
      return value === true;
    case 'share':
      return String(percentOf(Number(value)));
    case 'choice':
      return String(value);
    case 'wholes':
      return (value as number[]).join(' ');
    default:
      return wordOf(option, value);
  }
}

/** What a field asks for, or its text where the option does not take it, which is then for the schema to refuse. */
export function readField(option: Option, field: string | boolean): unknown {
  if (typeof field === 'boolean') return field;
  const text = field.trim();
  if (text === '' && (option.default ?? null) === null) return option.default;
  const plain = option.type === 'share' && text !== '' ? String(Number(text) / 100) : text;
  const parsed = parseOption(option, plain);
  return parsed === null ? text : parsed.value;
}

/** Said at a field whose text the option does not take. */
export function messageOf(option: Option): string {
  const taken = takenBy(option, option.type === 'share' ? 100 : 1);
  const mayBeEmpty = option.default === null && option.type !== 'text';
  return `${capitalized(taken)}${mayBeEmpty ? ', or empty' : ''}.`;
}

/** `Window, ms`. */
export function labelOf(option: Option): string {
  const unit = option.type === 'share' ? '%' : 'unit' in option ? option.unit : undefined;
  return unit === undefined ? option.label : `${option.label}, ${unit}`;
}

/** What stands under a field, and what applies while it is empty. */
export function hintOf(option: Option): string | undefined {
  const hint = option.hint === undefined ? `${plainHelp(option.help)}.` : option.hint;
  const isEmpty = option.default === null && (option.type === 'whole' || option.type === 'number');
  const parts = [hint, isEmpty && option.usual !== undefined ? `Empty: ${option.usual}.` : null];
  return parts.filter((part) => part !== null).join(' ') || undefined;
}

/** As a list of choices offers them. */
export function choicesOf(option: OptionOf<'choice'>): { value: string; label: string }[] {
  const choices = option.choices.map((value) => ({ value, label: option.labels?.[value] ?? value }));
  if (option.default !== null) return choices;
  return [{ value: '', label: capitalized(option.usual ?? 'automatic') }, ...choices];
}

/** Free of what arithmetic adds, such as 7.000000000000001. */
function percentOf(share: number): number {
  return Number((share * 100).toPrecision(6));
}
