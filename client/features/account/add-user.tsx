import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Role, roles, roleWords } from '../../../shared/role.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { SwitchLine } from '../../components/switch-line.tsx';
import classes from './account.module.css';

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
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (pending) return;
        onAdd({ email, role, password }).then(
          () => setEmail(''),
          () => undefined,
        );
      }}
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
      <div>
        <ActionButton type="submit" pending={pending}>
          Add user
        </ActionButton>
      </div>
    </form>
  );
}
