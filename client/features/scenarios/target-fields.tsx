import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type TargetForm, type TriedKind, triedChoices } from '../../format/target-form.ts';

type FieldProps = { form: TargetForm; set(change: Partial<TargetForm>): void };

/** Which target, and what its kind has to know. */
export function TargetFields({ label, form, set }: FieldProps & { label: string }) {
  return (
    <>
      <NativeSelect
        label={label}
        value={form.kind}
        onChange={(event) => set({ kind: event.currentTarget.value as TriedKind })}
        data={triedChoices}
      />
      {fields[form.kind]({ form, set })}
    </>
  );
}

const fields: Record<TriedKind, (props: FieldProps) => ReactNode> = {
  storefront: () => null,
  origins: ({ form, set }) => (
    <>
      <TextInput
        label="HTTP origin"
        placeholder="http://127.0.0.1:8080"
        value={form.http}
        required
        onChange={(event) => set({ http: event.currentTarget.value })}
        inputMode="url"
      />
      <TextInput
        label="HTTPS origin"
        placeholder="https://localhost:8443"
        value={form.https}
        required
        onChange={(event) => set({ https: event.currentTarget.value })}
        inputMode="url"
      />
      <Textarea
        label="Certificate authority (PEM)"
        description="If no public authority signed the certificate."
        rows={2}
        value={form.ca}
        onChange={(event) => set({ ca: event.currentTarget.value })}
      />
    </>
  ),
};
