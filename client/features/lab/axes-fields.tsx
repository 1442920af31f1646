import { Checkbox } from '@mantine/core';
import { CheckPills } from '../../components/check-pills.tsx';
import { FieldRow } from '../../components/field-row.tsx';
import { TextField } from '../../components/form-fields.tsx';
import classes from './lab-card.module.css';
import { type LabForm, type LabMessages, offered } from './lab-form.ts';

type Props = { form: LabForm; set: (change: Partial<LabForm>) => void; messages: LabMessages };

/** The axes of a grid: what is left empty takes everything that fits the rest. */
export function AxesFields(fields: Props) {
  const { form, set, messages } = fields;
  const { versions, keys, groups } = offered(form);
  return (
    <div className={classes.axes}>
      <Checkbox
        label="Include legacy: TLS 1.0 and 1.1, keys under 2,048 bits, broken suites"
        checked={form.legacy}
        onChange={(event) => {
          const legacy = event.currentTarget.checked;
          const left = offered({ legacy });
          set({
            legacy,
            versions: form.versions.filter((version) => left.versions.includes(version)),
            keys: form.keys.filter((key) => left.keys.includes(key)),
          });
        }}
      />
      <CheckPills
        legend="Protocol"
        name="protocol"
        values={form.versions}
        choices={versions.map((value) => ({ value, label: printVersion(value) }))}
        onChange={(chosen) => set({ versions: chosen })}
      />
      <CheckPills
        legend="Certificate key"
        name="key"
        values={form.keys}
        choices={keys.map(itself)}
        onChange={(chosen) => set({ keys: chosen })}
      />
      <CheckPills
        legend="Key agreement"
        name="group"
        values={form.groups}
        choices={groups.map(itself)}
        onChange={(chosen) => set({ groups: chosen })}
      />
      <CheckPills
        legend="Handshakes"
        name="handshakes"
        values={handshakes.filter((each) => form[each])}
        choices={handshakes.map(itself)}
        error={messages.full}
        onChange={(chosen) => set({ full: chosen.includes('full'), resumed: chosen.includes('resumed') })}
      />
      <FieldRow>
        <TextField {...fields} name="bytes" label="Bytes each way" />
        <TextField {...fields} name="ciphers" label="Cipher suites" placeholder="all that fit" />
        <TextField
          {...fields}
          name="guesses"
          label="Group the client tries first"
          placeholder="the server’s"
        />
        <TextField
          {...fields}
          name="connections"
          label="Connections per cell"
          placeholder="as many as the plan takes"
          inputMode="numeric"
        />
      </FieldRow>
    </div>
  );
}

const handshakes = ['full', 'resumed'] as const;

function itself<Value extends string>(value: Value) {
  return { value, label: value };
}

function printVersion(version: string): string {
  return version.replace('v', ' ').replace(/^TLS 1$/, 'TLS 1.0');
}
