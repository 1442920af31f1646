import type { ReactNode } from 'react';
import { AreaField, SelectField, TextField } from '../../components/form-fields.tsx';
import { type TargetForm, type TriedKind, triedChoices } from '../../format/target-form.ts';

type FieldProps = { form: TargetForm; set(change: Partial<TargetForm>): void };

/** Which target, and what its kind has to know. */
export function TargetFields({ label, form, set }: FieldProps & { label: string }) {
  return (
    <>
      <SelectField form={form} set={set} name="kind" label={label} data={triedChoices} />
      {fields[form.kind]({ form, set })}
    </>
  );
}

const fields: Record<TriedKind, (props: FieldProps) => ReactNode> = {
  storefront: () => null,
  origins: ({ form, set }) => (
    <>
      <TextField
        form={form}
        set={set}
        name="http"
        label="HTTP origin"
        placeholder="http://127.0.0.1:8080"
        required
        inputMode="url"
      />
      <TextField
        form={form}
        set={set}
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
