import { useState } from 'react';
import type { PlacedOption } from '../../shared/base/option.ts';
import { type CreateMeasurement, useCreateMeasurement } from '../api/use-create-measurement.ts';
import { formOf, readForm } from '../format/option-form.ts';

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

/** What is typed into a form that asks for a measurement, and whether it was sent: until then no field is called wrong. */
export function useRequestForm<Form>(initial: Form | (() => Form)) {
  const [form, setForm] = useState(initial);
  const [tried, setTried] = useState(false);
  const { mutate, reset, isPending: pending, error } = useCreateMeasurement();
  const set = (change: Partial<Form>) => {
    setForm((current) => ({ ...current, ...change }));
    reset();
  };
  const submit = (request: CreateMeasurement | null) => {
    setTried(true);
    if (request !== null) mutate(request);
  };
  return { form, set, tried, submit, pending, error };
}
