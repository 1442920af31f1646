import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button.tsx';
import classes from './account.module.css';

type Props = { pending: boolean; onAdd: (name: string) => Promise<unknown> };

export function AddPasskey({ pending, onAdd }: Props) {
  const [name, setName] = useState('');
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (pending) return;
        onAdd(name).then(
          () => setName(''),
          () => undefined,
        );
      }}
    >
      <TextInput
        label="Passkey name"
        description="Where it is, such as work laptop"
        required
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div>
        <ActionButton type="submit" pending={pending}>
          Add passkey
        </ActionButton>
      </div>
    </form>
  );
}
