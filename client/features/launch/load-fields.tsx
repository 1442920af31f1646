import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import classes from './launch-card.module.css';
import {
  comparisons,
  type FieldMessages,
  type LaunchForm,
  loadFieldNames,
  type SetField,
} from './launch-form.ts';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** What most people leave as it is; opened by itself when one of its fields is wrong. */
export function LoadFields({ form, set, messages }: Props) {
  const wrong = loadFieldNames.some((name) => messages[name] !== undefined);
  return (
    <details className={classes.more} open={wrong ? true : undefined}>
      <summary>TLS, connections and load</summary>
      <TlsFields form={form} set={set} messages={messages} />
      <ConnectionFields form={form} set={set} messages={messages} />
      <RateFields form={form} set={set} messages={messages} />
      <MethodFields form={form} set={set} messages={messages} />
    </details>
  );
}

function TlsFields({ form, set, messages }: Props) {
  return (
    <Group title="What is compared">
      <NativeSelect
        label="Compare"
        description={comparisons[form.comparison].note}
        value={form.comparison}
        onChange={(event) => set({ comparison: event.currentTarget.value as LaunchForm['comparison'] })}
        data={Object.entries(comparisons).map(([value, { label }]) => ({ value, label }))}
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
      <SuggestingInput
        label="Cipher suite"
        value={form.cipher}
        error={messages.cipher}
        onChange={(cipher) => set({ cipher })}
        suggestions={suites[form.version]}
      />
      <SuggestingInput
        label="Key agreement"
        value={form.group}
        error={messages.group}
        onChange={(group) => set({ group })}
        suggestions={groups[form.version]}
      />
      <NativeSelect
        label="Certificate"
        value={form.verify ? 'checked' : 'unchecked'}
        onChange={(event) => set({ verify: event.currentTarget.value === 'checked' })}
        data={[
          { value: 'checked', label: 'Checked by the generator' },
          { value: 'unchecked', label: 'Not checked' },
        ]}
      />
    </Group>
  );
}

function ConnectionFields({ form, set, messages }: Props) {
  return (
    <Group title="Connections">
      <TextInput
        label="Connections a side"
        value={form.connections}
        error={messages.connections}
        onChange={(event) => set({ connections: event.currentTarget.value })}
        inputMode="numeric"
        autoComplete="off"
      />
      <NativeSelect
        label="Connections live for"
        value={form.connectionPolicy}
        onChange={(event) =>
          set({ connectionPolicy: event.currentTarget.value as LaunchForm['connectionPolicy'] })
        }
        data={[
          { value: 'keep-alive', label: 'The whole slot (keep-alive)' },
          { value: 'connection-per-transaction', label: 'One transaction, as a visit does' },
          { value: 'connection-per-request', label: 'One request' },
          { value: 'requests-per-connection', label: 'So many requests' },
        ]}
      />
      {form.connectionPolicy === 'requests-per-connection' ? (
        <TextInput
          label="Requests on a connection"
          value={form.requestsPerConnection}
          error={messages.requestsPerConnection}
          onChange={(event) => set({ requestsPerConnection: event.currentTarget.value })}
          inputMode="numeric"
          autoComplete="off"
        />
      ) : null}
      <NativeSelect
        label="Resumption"
        value={form.resumption}
        onChange={(event) => set({ resumption: event.currentTarget.value as LaunchForm['resumption'] })}
        data={[
          { value: 'none', label: 'None: every handshake is full' },
          { value: 'tickets', label: 'Tickets: new connections resume' },
          { value: 'mix', label: 'A mix of new and returning visitors' },
        ]}
      />
      {form.resumption === 'mix' ? (
        <TextInput
          label="Returning visitors, in percent"
          value={form.returning}
          error={messages.returning}
          onChange={(event) => set({ returning: event.currentTarget.value })}
          inputMode="decimal"
          autoComplete="off"
        />
      ) : null}
    </Group>
  );
}

function RateFields({ form, set, messages }: Props) {
  return (
    <Group title="Load">
      <TextInput
        label="Rate, transactions/s"
        description="For open load: in Standard and Thorough, and in Quick when you give one. Empty: half of what the slower side manages."
        placeholder="automatic"
        value={form.rate}
        error={messages.rate}
        onChange={(event) => set({ rate: event.currentTarget.value })}
        inputMode="decimal"
        autoComplete="off"
      />
      <TextInput
        label="Ramp, ms"
        description="How long the rate rises at the start of open load."
        value={form.ramp}
        error={messages.ramp}
        onChange={(event) => set({ ramp: event.currentTarget.value })}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextInput
        label="Think time factor"
        description="On the scenario’s pauses. Empty: short ones are kept, long ones left out."
        placeholder="automatic"
        value={form.thinkTime}
        error={messages.thinkTime}
        onChange={(event) => set({ thinkTime: event.currentTarget.value })}
        inputMode="decimal"
        autoComplete="off"
      />
      <TextInput
        label="Generator processes"
        description="Empty: a third of the cores."
        placeholder="automatic"
        value={form.generators}
        error={messages.generators}
        onChange={(event) => set({ generators: event.currentTarget.value })}
        inputMode="numeric"
        autoComplete="off"
      />
    </Group>
  );
}

function MethodFields({ form, set, messages }: Props) {
  return (
    <Group title="Lockstep and verdict">
      <TextInput
        label="Launches"
        description="Starts of the target. Empty: as many as the plan says. A target that is already running has one."
        placeholder="automatic"
        value={form.launches}
        error={messages.launches}
        onChange={(event) => set({ launches: event.currentTarget.value })}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextInput
        label="Tolerance, %"
        description="“No overhead” means none above this."
        value={form.tolerance}
        error={messages.tolerance}
        onChange={(event) => set({ tolerance: event.currentTarget.value })}
        inputMode="decimal"
        autoComplete="off"
      />
      <TextInput
        label="Pair users"
        description="Users who each send every transaction to the sides in turn. One is the most precise."
        value={form.pairUsers}
        error={messages.pairUsers}
        onChange={(event) => set({ pairUsers: event.currentTarget.value })}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextInput
        label="Window, ms"
        description="Time between two readings of the CPU."
        value={form.windowMs}
        error={messages.windowMs}
        onChange={(event) => set({ windowMs: event.currentTarget.value })}
        inputMode="numeric"
        autoComplete="off"
      />
    </Group>
  );
}

type SuggestingProps = {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  suggestions: readonly string[];
};

/** Any name may be typed; the browser offers those that are usual. */
function SuggestingInput({ label, value, error, onChange, suggestions }: SuggestingProps) {
  const list = useId();
  return (
    <>
      <TextInput
        label={label}
        placeholder="the library’s own list"
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
        list={list}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={list}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend>{title}</legend>
      <div className={classes.pair}>{children}</div>
    </fieldset>
  );
}

const suites: Record<LaunchForm['version'], string[]> = {
  'TLSv1.3': ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  'TLSv1.2': [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES256-GCM-SHA384',
  ],
};

const groups: Record<LaunchForm['version'], string[]> = {
  'TLSv1.3': ['X25519', 'P-256', 'P-384', 'X25519MLKEM768', 'SecP256r1MLKEM768', 'SecP384r1MLKEM1024'],
  'TLSv1.2': ['X25519', 'P-256', 'P-384'],
};
