import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ServerKey, type ServerName, serverKeys } from '../../shared/target/server-names.ts';
import { serversQuery } from '../api/queries.ts';
import { serverChoices, whatIsMissing } from '../format/server-choice.ts';
import { FieldRow } from './field-row.tsx';

type Fields = { server: ServerName; key: ServerKey };

/** A server of the machine, and the key of its certificate. */
export function ServerFields({ form, set }: { form: Fields; set: (change: Partial<Fields>) => void }) {
  const { data: found } = useQuery(serversQuery);
  return (
    <FieldRow>
      <NativeSelect
        label="Server"
        value={form.server}
        error={whatIsMissing(found?.find(({ name }) => name === form.server))}
        onChange={(event) => set({ server: event.currentTarget.value as ServerName })}
        data={serverChoices(found)}
      />
      <NativeSelect
        label="Certificate key"
        value={form.key}
        onChange={(event) => set({ key: event.currentTarget.value as ServerKey })}
        data={[...serverKeys]}
      />
    </FieldRow>
  );
}
