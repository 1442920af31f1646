import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FieldRow } from '../../components/field-row.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { ServerFields } from '../../components/server-fields.tsx';
import { SwitchLine } from '../../components/switch-line.tsx';
import { emptyForm, type FieldMessages, type LaunchForm, type SetField } from './form-shape.ts';
import classes from './launch-card.module.css';
import { chainLengths } from './managed-server.ts';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** A server of the machine, and what it serves. */
export function ManagedFields({ form, set, messages }: Props) {
  return (
    <>
      <p className={classes.hint}>
        Started for the run as three identical servers with a minimal configuration, which the result shows.
      </p>
      <ServerFields form={form} set={set} />
      <TextInput
        label="Document size, bytes"
        description="Give several with spaces for a scenario that asks for them. Without one, the first is requested."
        value={form.documents}
        error={messages.documents}
        onChange={(event) => set({ documents: event.currentTarget.value })}
        autoComplete="off"
      />
      <ServerOptions form={form} set={set} messages={messages} />
    </>
  );
}

const options = [
  { name: 'serverKeepAlive', label: 'Keep-alive' },
  { name: 'serverResumption', label: 'Session resumption' },
  { name: 'clientCertificates', label: 'Client certificates (mutual TLS)' },
  { name: 'kTls', label: 'Kernel TLS' },
] as const;

/** Open at first where one of them is not as usual. */
function ServerOptions({ form, set, messages }: Props) {
  const [used] = useState(
    form.workers !== emptyForm.workers ||
      form.chain !== emptyForm.chain ||
      options.some(({ name }) => form[name] !== emptyForm[name]),
  );
  return (
    <MoreFields title="Server options" open={used || messages.workers !== undefined}>
      <FieldRow>
        <NativeSelect
          label="Intermediate certificates"
          value={form.chain}
          onChange={(event) => set({ chain: event.currentTarget.value })}
          data={chainLengths}
        />
        <TextInput
          label="Worker processes"
          value={form.workers}
          error={messages.workers}
          onChange={(event) => set({ workers: event.currentTarget.value })}
          inputMode="numeric"
          autoComplete="off"
        />
        <div className={classes.stack}>
          {options.map(({ name, label }) => (
            <SwitchLine
              key={name}
              label={label}
              checked={form[name]}
              onChange={(checked) => set({ [name]: checked })}
            />
          ))}
        </div>
      </FieldRow>
    </MoreFields>
  );
}
