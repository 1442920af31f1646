import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { LaunchForm, SetField } from './form-shape.ts';
import { holdsAddress, printAddress, splitAddress } from './pasted-address.ts';

/** One field for where the application is. What is pasted or typed is split into the fields below it. */
export function AddressField({ form, set }: { form: LaunchForm; set: SetField }) {
  const [typed, setTyped] = useState('');
  return (
    <TextInput
      label="Your application"
      placeholder="Paste its address: 127.0.0.1:8080, https://localhost:8443/shop, or two of them"
      value={holdsAddress(typed, form) ? typed : printAddress(form)}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        set({ ...splitAddress(value, form), ...(value.trim() === '' ? {} : { targetKind: 'origins' }) });
      }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
