import type { PlacedOption } from '../../shared/base/option.ts';
import type { CreateMeasurement } from '../api/use-create-measurement.ts';
import { formOf, readForm } from '../format/option-form.ts';
import { useRequestForm } from './use-request-form.ts';

/** A form made of a table of options that asks for a measurement. @param opens values that differ from the defaults */
export function useOptionForm(options: readonly PlacedOption[], opens: object = {}) {
  const { form, set, tried, submit, pending, error } = useRequestForm(() => formOf(options, opens));
  const { asked, messages } = readForm(options, form);
  return {
    fields: { form, set, messages: tried ? messages : {} },
    asked,
    /** Nothing is sent while a field is wrong. */
    submit: (requestOf: (asked: Record<string, unknown>) => object) =>
      submit(Object.keys(messages).length === 0 ? (requestOf(asked) as CreateMeasurement) : null),
    pending,
    error,
  };
}
