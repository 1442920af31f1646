import { NativeSelect, TextInput } from '@mantine/core';
import classes from './launch-card.module.css';
import type { SetField } from './launch-card.tsx';
import type { FieldMessages, LaunchForm } from './launch-form.ts';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** What most people leave as it is; opened by itself when one of its fields is wrong. */
export function LoadFields({ form, set, messages }: Props) {
  return (
    <details className={classes.more} open={messages.connections === undefined ? undefined : true}>
      <summary>TLS and connections</summary>
      <div className={classes.pair}>
        <NativeSelect
          label="Compare"
          value={form.comparison}
          onChange={(event) => set({ comparison: event.currentTarget.value as LaunchForm['comparison'] })}
          data={[
            { value: 'https', label: 'HTTPS with HTTP' },
            { value: 'twin', label: 'HTTP with its twin (shows the noise)' },
          ]}
        />
        <NativeSelect
          label="TLS version"
          value={form.version}
          onChange={(event) => set({ version: event.currentTarget.value as LaunchForm['version'] })}
          data={[
            { value: 'TLSv1.3', label: 'TLS 1.3' },
            { value: 'TLSv1.2', label: 'TLS 1.2' },
          ]}
        />
        <NativeSelect
          label="Resumption"
          value={form.resumption}
          onChange={(event) => set({ resumption: event.currentTarget.value as LaunchForm['resumption'] })}
          data={[
            { value: 'none', label: 'None: every handshake is full' },
            { value: 'tickets', label: 'Tickets: new connections resume' },
          ]}
        />
        <NativeSelect
          label="Connections live for"
          value={form.connectionPolicy}
          onChange={(event) =>
            set({ connectionPolicy: event.currentTarget.value as LaunchForm['connectionPolicy'] })
          }
          data={[
            { value: 'keep-alive', label: 'The whole slot (keep-alive)' },
            { value: 'connection-per-transaction', label: 'One transaction' },
            { value: 'connection-per-request', label: 'One request' },
          ]}
        />
        <TextInput
          label="Connections a side"
          value={form.connections}
          error={messages.connections}
          onChange={(event) => set({ connections: event.currentTarget.value })}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
    </details>
  );
}
