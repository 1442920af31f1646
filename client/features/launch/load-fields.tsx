import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { TlsVersion } from '../../../shared/base/tls-profile.ts';
import { linkNames } from '../../../shared/kinds/comparison/link-names.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import {
  comparisons,
  type FieldMessages,
  type LaunchForm,
  loadFieldNames,
  type SetField,
} from './form-shape.ts';
import classes from './launch-card.module.css';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** What most people leave as it is; opened by itself when one of its fields is wrong. */
export function LoadFields({ form, set, messages }: Props) {
  const wrong = loadFieldNames.some((name) => messages[name] !== undefined);
  return (
    <MoreFields title="TLS, connections and load" open={wrong}>
      <TlsFields form={form} set={set} messages={messages} />
      <ConnectionFields form={form} set={set} messages={messages} />
      <RateFields form={form} set={set} messages={messages} />
      <MethodFields form={form} set={set} messages={messages} />
    </MoreFields>
  );
}

function TlsFields({ form, set, messages }: Props) {
  return (
    <Group title="Comparison">
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
        error={messages.version}
        onChange={(event) => set({ version: event.currentTarget.value as LaunchForm['version'] })}
        data={[
          { value: 'best', label: 'Best that both ends speak' },
          { value: 'TLSv1.3', label: 'TLS 1.3' },
          { value: 'TLSv1.2', label: 'TLS 1.2' },
        ]}
      />
      <SuggestingInput
        label="Cipher suite"
        value={form.cipher}
        error={messages.cipher}
        onChange={(cipher) => set({ cipher })}
        suggestions={suitesOf(form.version)}
      />
      <SuggestingInput
        label="Key agreement"
        value={form.group}
        error={messages.group}
        onChange={(group) => set({ group })}
        suggestions={groups[form.version === 'TLSv1.2' ? 'TLSv1.2' : 'TLSv1.3']}
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

function ConnectionFields(props: Props) {
  const { form, set } = props;
  return (
    <Group title="Connections">
      <NumberField {...props} name="connections" label="Connections per side" />
      <NativeSelect
        label="Connections live for"
        value={form.connectionPolicy}
        onChange={(event) =>
          set({ connectionPolicy: event.currentTarget.value as LaunchForm['connectionPolicy'] })
        }
        data={[
          { value: 'keep-alive', label: 'The whole launch (keep-alive)' },
          { value: 'connection-per-transaction', label: 'One transaction, as a visit does' },
          { value: 'connection-per-request', label: 'One request' },
          { value: 'requests-per-connection', label: 'A fixed number of requests' },
        ]}
      />
      {form.connectionPolicy === 'requests-per-connection' ? (
        <NumberField {...props} name="requestsPerConnection" label="Requests on a connection" />
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
        <NumberField {...props} name="returning" label="Returning visitors, in percent" decimal />
      ) : null}
      <SuggestingInput
        label="Link to the target"
        description="Adds the round trip of a longer path: a name, or 25ms, or 25ms,50mbit."
        placeholder="none"
        value={form.link}
        error={props.messages.link}
        onChange={(link) => set({ link })}
        suggestions={linkNames}
      />
    </Group>
  );
}

function RateFields(props: Props) {
  return (
    <Group title="Load">
      <NumberField
        {...props}
        name="rate"
        label="Rate, transactions/s"
        description="For open load: in Standard and Thorough, and in Quick when you give one. Empty: half of what the slower side can handle."
        placeholder="automatic"
        decimal
      />
      <NumberField
        {...props}
        name="ramp"
        label="Ramp-up time, ms"
        description="Time to reach the full rate at the start of open load."
      />
      <NumberField
        {...props}
        name="thinkTime"
        label="Think time factor"
        description="Multiplies the scenario’s pauses. Empty: keep short ones, leave out long ones."
        placeholder="automatic"
        decimal
      />
      <NumberField
        {...props}
        name="generators"
        label="Generator processes"
        description="Empty: a third of the cores."
        placeholder="automatic"
      />
    </Group>
  );
}

function MethodFields(props: Props) {
  return (
    <Group title="Launches and verdict">
      <NumberField
        {...props}
        name="launches"
        label="Launches"
        description="How often the target is started. Empty: as planned. A target that is already running has one."
        placeholder="automatic"
      />
      <NumberField
        {...props}
        name="tolerance"
        label="Tolerance, %"
        description="A smaller difference does not matter."
        decimal
      />
      <NumberField
        {...props}
        name="pairUsers"
        label="Pair users"
        description="Users who alternate between the sides. One is the most precise."
      />
      <NumberField
        {...props}
        name="windowMs"
        label="Window, ms"
        description="Time between two readings of the CPU."
      />
    </Group>
  );
}

type TextFieldName = {
  [Name in keyof LaunchForm]: LaunchForm[Name] extends string ? Name : never;
}[keyof LaunchForm];

type NumberProps = Props & {
  name: TextFieldName;
  label: string;
  description?: string;
  placeholder?: string;
  /** Digits alone are not enough for it. */
  decimal?: boolean;
};

function NumberField({ form, set, messages, name, decimal = false, ...words }: NumberProps) {
  return (
    <TextInput
      {...words}
      value={form[name]}
      error={messages[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      inputMode={decimal ? 'decimal' : 'numeric'}
      autoComplete="off"
    />
  );
}

type SuggestingProps = {
  label: string;
  description?: string;
  placeholder?: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  suggestions: readonly string[];
};

/** Any name may be typed; the browser offers those that are usual. */
function SuggestingInput({
  placeholder = 'the library’s own list',
  suggestions,
  onChange,
  ...field
}: SuggestingProps) {
  const list = useId();
  return (
    <>
      <TextInput
        {...field}
        placeholder={placeholder}
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
      <FieldRow>{children}</FieldRow>
    </fieldset>
  );
}

function suitesOf(version: LaunchForm['version']): string[] {
  return version === 'best' ? Object.values(suites).flat() : suites[version];
}

const suites: Record<TlsVersion, string[]> = {
  'TLSv1.3': ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  'TLSv1.2': [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES256-GCM-SHA384',
  ],
};

const groups: Record<TlsVersion, string[]> = {
  'TLSv1.3': ['X25519', 'P-256', 'P-384', 'X25519MLKEM768', 'SecP256r1MLKEM768', 'SecP384r1MLKEM1024'],
  'TLSv1.2': ['X25519', 'P-256', 'P-384'],
};
