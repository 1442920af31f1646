import { Textarea, TextInput } from '@mantine/core';
import { FieldRow } from '../../components/field-row.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import type { FieldMessages, LaunchForm, SetField } from './form-shape.ts';
import { otherOrigin } from './side-form.ts';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

const names = [
  ...(['ca', 'twin', 'pid'] as const),
  ...(['sides.comparison.target.ca', 'sides.comparison.target.pid'] as const),
] as const;
type Name = (typeof names)[number];

/** What most targets do without; open where something of it is given, or wrong. */
export function MoreOfTarget(props: Props) {
  const { form, messages } = props;
  const used = names.some((name) => form[name] !== '' || messages[name] !== undefined);
  const hasOther = otherOrigin(form) !== null;
  return (
    <MoreFields title="Certificate, twin, process" open={used}>
      <FieldRow>
        <AuthorityField {...props} name="ca" label="Certificate authority (PEM)" />
        {hasOther ? (
          <AuthorityField
            {...props}
            name="sides.comparison.target.ca"
            label="Certificate authority of the comparison (PEM)"
          />
        ) : null}
        <TextInput
          {...fieldOf(props, 'twin')}
          label="Twin address"
          description="A second listener like the baseline’s. It shows what is only noise."
          inputMode="url"
        />
        <TextInput
          {...fieldOf(props, 'pid')}
          label="Process ID"
          description="Empty: found by the listening port."
          inputMode="numeric"
        />
        <TextInput
          {...fieldOf(props, 'sides.comparison.target.pid')}
          label="Process ID of the comparison"
          description="Empty: as the baseline’s."
          inputMode="numeric"
        />
      </FieldRow>
    </MoreFields>
  );
}

function AuthorityField({ label, name, ...props }: Props & { label: string; name: Name }) {
  return (
    <Textarea
      {...fieldOf(props, name)}
      label={label}
      description="If the certificate is not signed by a public authority."
      placeholder="-----BEGIN CERTIFICATE-----"
      rows={3}
    />
  );
}

function fieldOf({ form, set, messages }: Props, name: Name) {
  return {
    value: form[name],
    error: messages[name],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
    autoComplete: 'off',
    spellCheck: false,
  };
}
