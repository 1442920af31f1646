import { isCounting, nestValues, type PlacedOption, valueIn } from '../../shared/base/option.ts';
import { type Field, fieldOf, isTaken, messageOf, readField } from './option-field.ts';

/** A form made of a table of options: a field for each, by its id. */
export type OptionForm = { [id: string]: Field };

/** Form with the values of a request. Options that the request omits have their defaults. */
export function formOf(options: readonly PlacedOption[], request: object = {}): OptionForm {
  return Object.fromEntries(
    options.map((placed) => {
      const value = valueIn(request, placed);
      return [placed.id, fieldOf(placed.option, value === undefined ? placed.option.default : value)];
    }),
  );
}

/** Request of the form, and a message for each field whose value its option does not accept. */
export function readForm(options: readonly PlacedOption[], form: OptionForm) {
  const counting = options.filter((placed) => applies(placed, form));
  const read = counting.map((placed) => [placed, readField(placed.option, form[placed.id] ?? '')] as const);
  const wrong = counting.filter(({ id, option }) => !isTaken(option, form[id] ?? ''));
  return {
    asked: nestValues(read.filter(([, value]) => value !== undefined)),
    messages: Object.fromEntries(wrong.map(({ id, option }) => [id, messageOf(option)])),
  };
}

/** Whether an option counts, as another one was chosen. */
export function applies({ part, option }: PlacedOption, form: Readonly<Record<string, unknown>>): boolean {
  const other = option.when?.option ?? '';
  return isCounting(option, form[part === null ? other : `${part}.${other}`]);
}
