import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Role, roles, roleWords } from '../../../shared/team/role.ts';
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
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('reader');
  const [password, setPassword] = useState(provider === null);
  return (
    <AddForm
      action="Add user"
      pending={pending}
      onAdd={() => onAdd({ email, role, password })}
      onAdded={() => setEmail('')}
    >
      <TextInput
        label="Email address"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <NativeSelect
        label="Role"
        description={roleWords[role]}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
        data={[...roles]}
      />
      {provider === null ? null : (
        <SwitchLine
          label="Make a password"
          detail={`Without one, they sign in with ${provider}.`}
          checked={password}
          onChange={setPassword}
        />
      )}
    </AddForm>
  );
}
