import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { LaunchForm, SetField } from './form-shape.ts';
import { LocalServers } from './local-servers.tsx';
import { holdsAddress, printAddress, splitAddress } from './pasted-address.ts';

/** One field for where the application is. What is pasted or typed is split into the fields below it. */
export function AddressField({ form, set }: { form: LaunchForm; set: SetField }) {
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState(false);
  const take = (text: string) => {
    setTyped(text);
    set({ ...splitAddress(text, form), ...(text.trim() === '' ? {} : { targetKind: 'origins' }) });
  };
  return (
    <div>
      <TextInput
        label="Your application"
        placeholder="Paste its address: 127.0.0.1:8080, https://localhost:8443/shop, or two of them"
        value={holdsAddress(typed, form) ? typed : printAddress(form)}
        onChange={({ currentTarget: { value } }) => take(value)}
        onFocus={() => setWanted(true)}
        autoComplete="off"
        spellCheck={false}
      />
      <LocalServers wanted={wanted} onChoose={take} />
    </div>
  );
}
