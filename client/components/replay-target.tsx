import type { Scheme } from '../../shared/base/transport.ts';
import { type TargetForm, triedChoices } from '../format/browser-action.ts';
import { AreaField, SelectField, TextField } from './form-fields.tsx';

type Props = {
  label: string;
  form: TargetForm;
  set(change: Partial<TargetForm>): void;
  /** Kinds of target to choose from. */
  choices?: readonly { value: string; label: string }[];
  /** Schemes that the sides speak. */
  schemes?: readonly Scheme[];
  messages?: { http?: string; https?: string };
};

export function TargetFields(props: Props) {
  const { label, form, set, choices = triedChoices, schemes = ['http', 'https'], messages = {} } = props;
  const fields = { form, set, messages };
  return (
    <>
      <SelectField form={form} set={set} name="kind" label={label} data={[...choices]} />
      {form.kind === 'origins' ? (
        <>
          {schemes.includes('http') ? (
            <TextField
              {...fields}
              name="http"
              label="HTTP origin"
              placeholder="http://127.0.0.1:8080"
              required
              inputMode="url"
            />
          ) : null}
          {schemes.includes('https') ? (
            <TextField
              {...fields}
              name="https"
              label="HTTPS origin"
              placeholder="https://localhost:8443"
              required
              inputMode="url"
            />
          ) : null}
          <AreaField
            form={form}
            set={set}
            name="ca"
            label="Certificate authority (PEM)"
            description="If no public authority signed the certificate."
            rows={2}
          />
        </>
      ) : null}
    </>
  );
}
