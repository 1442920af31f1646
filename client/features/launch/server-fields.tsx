import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ServerKey, type ServerName, serverKeys } from '../../../shared/target.ts';
import { serversQuery } from '../../api/queries.ts';
import { serverChoices, whatIsMissing } from '../../format/server-choice.ts';
import type { FieldMessages, LaunchForm, SetField } from './form-shape.ts';
import classes from './launch-card.module.css';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** A server of the machine, and what it serves. */
export function ServerFields({ form, set, messages }: Props) {
  const { data: found } = useQuery(serversQuery);
  const chosen = found?.find(({ name }) => name === form.server);
  return (
    <>
      <p className={classes.hint}>
        Started for the run as three identical servers with a minimal configuration, which the result shows.
      </p>
      <div className={classes.pair}>
        <NativeSelect
          label="Server"
          value={form.server}
          error={whatIsMissing(chosen)}
          onChange={(event) => set({ server: event.currentTarget.value as ServerName })}
          data={serverChoices(found)}
        />
        <NativeSelect
          label="Key of its certificate"
          value={form.key}
          onChange={(event) => set({ key: event.currentTarget.value as ServerKey })}
          data={[...serverKeys]}
        />
      </div>
      <TextInput
        label="Size of the document, bytes"
        value={form.document}
        error={messages.document}
        onChange={(event) => set({ document: event.currentTarget.value })}
        inputMode="numeric"
        autoComplete="off"
      />
    </>
  );
}
