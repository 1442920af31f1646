import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Role, reaches, roles, roleWords } from '../../../shared/team/role.ts';
import { AddForm } from './add-form.tsx';

export type KeyForm = { name: string; role: Role; days: number | null };

const lifetimes = [
  { label: '30 days', days: 30 },
  { label: '90 days', days: 90 },
  { label: '1 year', days: 365 },
  { label: 'No expiration', days: null },
];
const usual = '90 days';

type Props = { most: Role; pending: boolean; onAdd: (key: KeyForm) => Promise<unknown> };

/** @param most the role of the reader */
export function AddKey({ most, pending, onAdd }: Props) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>(reaches(most, 'operator') ? 'operator' : most);
  const [lifetime, setLifetime] = useState(usual);
  const days = lifetimes.find(({ label }) => label === lifetime)?.days ?? null;
  return (
    <AddForm
      action="Create API key"
      pending={pending}
      onAdd={() => onAdd({ name, role, days })}
      onAdded={() => setName('')}
    >
      <TextInput
        label="Key name"
        description="What will use the key, such as nightly build"
        required
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label="Role of the key"
        description={roleWords[role]}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
        data={roles.filter((each) => reaches(most, each))}
      />
      <NativeSelect
        label="Expiration"
        value={lifetime}
        onChange={(event) => setLifetime(event.currentTarget.value)}
        data={lifetimes.map(({ label }) => label)}
      />
    </AddForm>
  );
}
