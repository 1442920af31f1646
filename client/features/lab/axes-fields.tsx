import { Checkbox, TextInput } from '@mantine/core';
import { FieldRow } from '../../components/field-row.tsx';
import classes from './lab-card.module.css';
import { type LabForm, type LabMessages, offered } from './lab-form.ts';

type Props = { form: LabForm; set: (change: Partial<LabForm>) => void; messages: LabMessages };

/** The axes of a grid: what is left empty takes everything that fits the rest. */
export function AxesFields({ form, set, messages }: Props) {
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
      <Ticks
        legend="Protocol"
        all={versions}
        chosen={form.versions}
        labelOf={(version) => version.replace('v', ' ').replace(/^TLS 1$/, 'TLS 1.0')}
        onChange={(chosen) => set({ versions: chosen })}
      />
      <Ticks
        legend="Certificate key"
        all={keys}
        chosen={form.keys}
        labelOf={String}
        onChange={(chosen) => set({ keys: chosen })}
      />
      <Ticks
        legend="Key agreement"
        all={groups}
        chosen={form.groups}
        labelOf={String}
        onChange={(chosen) => set({ groups: chosen })}
      />
      <fieldset className={classes.ticks}>
        <legend>Handshakes</legend>
        <div className={classes.row}>
          <Checkbox
            label="full"
            checked={form.full}
            onChange={(event) => set({ full: event.currentTarget.checked })}
          />
          <Checkbox
            label="resumed"
            checked={form.resumed}
            onChange={(event) => set({ resumed: event.currentTarget.checked })}
          />
        </div>
        {messages.full === undefined ? null : <p className={classes.wrong}>{messages.full}</p>}
      </fieldset>
      <FieldRow>
        <TextInput
          label="Bytes each way"
          value={form.bytes}
          error={messages.bytes}
          onChange={(event) => set({ bytes: event.currentTarget.value })}
        />
        <TextInput
          label="Cipher suites"
          placeholder="all that fit"
          value={form.ciphers}
          error={messages.ciphers}
          onChange={(event) => set({ ciphers: event.currentTarget.value })}
        />
        <TextInput
          label="Group the client tries first"
          placeholder="the server’s"
          value={form.guesses}
          error={messages.guesses}
          onChange={(event) => set({ guesses: event.currentTarget.value })}
        />
        <TextInput
          label="Connections per cell"
          placeholder="as many as the plan takes"
          inputMode="numeric"
          value={form.connections}
          error={messages.connections}
          onChange={(event) => set({ connections: event.currentTarget.value })}
        />
      </FieldRow>
    </div>
  );
}

type TicksProps<Name extends string> = {
  legend: string;
  all: readonly Name[];
  chosen: readonly Name[];
  labelOf: (name: Name) => string;
  onChange: (chosen: Name[]) => void;
};

function Ticks<Name extends string>({ legend, all, chosen, labelOf, onChange }: TicksProps<Name>) {
  return (
    <fieldset className={classes.ticks}>
      <legend>{legend}</legend>
      <div className={classes.row}>
        {all.map((name) => (
          <Checkbox
            key={name}
            label={labelOf(name)}
            checked={chosen.includes(name)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? all.filter((each) => each === name || chosen.includes(each))
                  : chosen.filter((each) => each !== name),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
