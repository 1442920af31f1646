import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Role, roles, roleWords } from '../../../shared/role.ts';
import { ActionButton } from '../../components/action-button.tsx';
import classes from './account.module.css';

type Props = { pending: boolean; onAdd: (user: { email: string; role: Role }) => Promise<unknown> };

export function AddUser({ pending, onAdd }: Props) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('reader');
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (pending) return;
        onAdd({ email, role }).then(
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
      <div>
        <ActionButton type="submit" pending={pending}>
          Add user
        </ActionButton>
      </div>
    </form>
  );
}
