import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { AddForm } from './add-form.tsx';

type Props = { pending: boolean; onAdd: (name: string) => Promise<unknown> };

export function AddPasskey({ pending, onAdd }: Props) {
  const [name, setName] = useState('');
  return (
    <AddForm action="Add passkey" pending={pending} onAdd={() => onAdd(name)} onAdded={() => setName('')}>
      <TextInput
        label="Passkey name"
        description="Where it is, such as work laptop"
        required
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </AddForm>
  );
}
