import type { ReactNode } from 'react';
import { type TargetForm, type TriedKind, triedChoices } from '../format/target-form.ts';
import { AreaField, SelectField, TextField } from './form-fields.tsx';

type FieldProps = {
  form: TargetForm;
  set(change: Partial<TargetForm>): void;
  messages?: { http?: string; https?: string };
};

/** Which target, and what its kind has to know. */
export function TargetFields({ label, ...props }: FieldProps & { label: string }) {
  const { form, set } = props;
  return (
    <>
      <SelectField form={form} set={set} name="kind" label={label} data={triedChoices} />
      {fields[form.kind](props)}
    </>
  );
}

const fields: Record<TriedKind, (props: FieldProps) => ReactNode> = {
  storefront: () => null,
  origins: ({ form, set, messages = {} }) => (
    <>
      <TextField
        form={form}
        set={set}
        messages={messages}
        name="http"
        label="HTTP origin"
        placeholder="http://127.0.0.1:8080"
        required
        inputMode="url"
      />
      <TextField
        form={form}
        set={set}
        messages={messages}
        name="https"
        label="HTTPS origin"
        placeholder="https://localhost:8443"
        required
        inputMode="url"
      />
      <AreaField
        form={form}
        set={set}
        name="ca"
        label="Certificate authority (PEM)"
        description="If no public authority signed the certificate."
        rows={2}
      />
    </>
  ),
};
