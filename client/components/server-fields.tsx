import { useQuery } from '@tanstack/react-query';
import { type ServerKey, type ServerName, serverKeys } from '../../shared/target/server-names.ts';
import { managedServersQuery } from '../api/queries.ts';
import { serverChoices, whatIsMissing } from '../format/server-choice.ts';
import { FieldRow } from './field-row.tsx';
import { SelectField } from './form-fields.tsx';

type Fields = { server: ServerName; key: ServerKey };

/** A server of the machine, and the key of its certificate. */
export function ServerFields({ form, set }: { form: Fields; set: (change: Partial<Fields>) => void }) {
  const { data: found } = useQuery(managedServersQuery);
  return (
    <FieldRow>
      <SelectField
        form={form}
        set={set}
        name="server"
        label="Server"
        error={whatIsMissing(found?.find(({ name }) => name === form.server))}
        data={serverChoices(found)}
      />
      <SelectField form={form} set={set} name="key" label="Certificate key" data={[...serverKeys]} />
    </FieldRow>
  );
}
