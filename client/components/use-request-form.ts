import { useState } from 'react';
import { type CreateMeasurement, useCreateMeasurement } from '../api/use-create-measurement.ts';

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
