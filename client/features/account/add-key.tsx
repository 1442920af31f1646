import { useState } from 'react';
import { type Role, reaches, roles, roleWords } from '../../../shared/team/role.ts';
import { SelectField, TextField } from '../../components/form-fields.tsx';
import { AddForm } from './add-form.tsx';

export type KeyForm = { name: string; role: Role; days: number | null };

const lifetimes: Record<string, number | null> = {
  '30 days': 30,
  '90 days': 90,
  '1 year': 365,
  'No expiration': null,
};

type Props = { most: Role; pending: boolean; onAdd: (key: KeyForm) => Promise<unknown> };

/** @param most the role of the reader */
export function AddKey({ most, pending, onAdd }: Props) {
  const [form, setForm] = useState({
    ...{ name: '', lifetime: '90 days' },
    role: reaches(most, 'operator') ? 'operator' : most,
  });
  const { name, role, lifetime } = form;
  const fields = { form, set: (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change })) };
  return (
    <AddForm
      action="Create API key"
      pending={pending}
      onAdd={() => onAdd({ name, role, days: lifetimes[lifetime] ?? null })}
      onAdded={() => fields.set({ name: '' })}
    >
      <TextField
        {...fields}
        name="name"
        label="Key name"
        description="What will use the key, such as nightly build"
        required
        maxLength={60}
      />
      <SelectField
        {...fields}
        name="role"
        label="Role of the key"
        description={roleWords[role]}
        data={roles.filter((each) => reaches(most, each))}
      />
      <SelectField {...fields} name="lifetime" label="Expiration" data={Object.keys(lifetimes)} />
    </AddForm>
  );
}
