import { type TargetForm, triedChoices } from '../format/browser-action.ts';
import { AreaField, SelectField, TextField } from './form-fields.tsx';

type Props = {
  label: string;
  form: TargetForm;
  set(change: Partial<TargetForm>): void;
  messages?: { http?: string; https?: string };
};

export function TargetFields({ label, form, set, messages = {} }: Props) {
  const fields = { form, set, messages };
  return (
    <>
      <SelectField form={form} set={set} name="kind" label={label} data={triedChoices} />
      {form.kind === 'storefront' ? null : (
        <>
          <TextField
            {...fields}
            name="http"
            label="HTTP origin"
            placeholder="http://127.0.0.1:8080"
            required
            inputMode="url"
          />
          <TextField
            {...fields}
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
      )}
    </>
  );
}
