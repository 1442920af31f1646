import type { PlacedOption } from '../../shared/base/option.ts';
import type { Field } from '../format/option-field.ts';
import { applies, type OptionForm } from '../format/option-form.ts';
import { type ChoiceWords, OptionField } from './option-field.tsx';

export type OptionFieldsProps = {
  /** With a field for each of them, by its id. */
  form: Readonly<Record<string, unknown>>;
  set: (change: OptionForm) => void;
  messages: { readonly [id: string]: string | undefined };
};

/** What a screen knows of the choices of some. */
export type ChoicesOfFields = { readonly [id: string]: ChoiceWords };

/** Fields of the options that count. */
export function OptionFields({
  form,
  set,
  messages,
  options,
  choices,
}: OptionFieldsProps & {
  options: readonly PlacedOption[];
  choices?: ChoicesOfFields;
}) {
  return options
    .filter((placed) => applies(placed, form))
    .map(({ id, option }) => (
      <OptionField
        key={id}
        option={option}
        value={(form[id] ?? '') as Field}
        error={messages[id]}
        choice={choices?.[id]}
        onChange={(value) => set({ [id]: value })}
      />
    ));
}
