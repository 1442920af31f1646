import { useState } from 'react';
import { type Role, roles, roleWords } from '../../../shared/team/role.ts';
import { SelectField, TextField } from '../../components/form-fields.tsx';
import { SwitchLine } from '../../components/switch-line.tsx';
import { AddForm } from './add-form.tsx';

type Form = { email: string; role: Role; password: boolean };
type Props = {
  /** Name of the identity provider; null for none. */
  provider: string | null;
  pending: boolean;
  onAdd: (user: Form) => Promise<unknown>;
};

export function AddUser({ provider, pending, onAdd }: Props) {
  const [form, setForm] = useState<Form>({ email: '', role: 'reader', password: provider === null });
  const set = (change: Partial<Form>) => setForm((now) => ({ ...now, ...change }));
  return (
    <AddForm action="Add user" pending={pending} onAdd={() => onAdd(form)} onAdded={() => set({ email: '' })}>
      <TextField
        form={form}
        set={set}
        name="email"
        label="Email address"
        type="email"
        required
        maxLength={254}
      />
      <SelectField
        form={form}
        set={set}
        name="role"
        label="Role"
        description={roleWords[form.role]}
        data={[...roles]}
      />
      {provider === null ? null : (
        <SwitchLine
          label="Make a password"
          detail={`Without one, they sign in with ${provider}.`}
          checked={form.password}
          onChange={(password) => set({ password })}
        />
      )}
    </AddForm>
  );
}
