import { NativeSelect, TextInput } from '@mantine/core';
import { capacityVersions } from '../../../shared/kinds/comparison/capacity.ts';
import {
  type CapacityForm,
  changeOfVersion,
  type FieldMessages,
  type FieldName,
  offered,
} from './capacity-form.ts';
import classes from './capacity-page.module.css';

export type FieldsProps = {
  form: CapacityForm;
  set: (change: Partial<CapacityForm>) => void;
  messages: FieldMessages;
};

export function LoadFields(props: FieldsProps) {
  const { form, set } = props;
  const { keys, groups } = offered(form.version);
  return (
    <>
      <fieldset className={classes.fields}>
        <legend>Load</legend>
        <Field {...props} name="visits" label="Visits per second" />
        <Field {...props} name="requests" label="Requests per visit" />
        <Field {...props} name="kilobytes" label="Response size, kB" />
        <Field {...props} name="returning" label="Returning visitors, %" />
      </fieldset>
      <fieldset className={classes.fields}>
        <legend>Server</legend>
        <Choice {...props} name="keepAlive" label="Connections" choices={connectionChoices} />
        {form.keepAlive === 'yes' ? (
          <Field {...props} name="connections" label="Connections per visit" />
        ) : null}
        <Choice {...props} name="resumption" label="Sessions" choices={sessionChoices} />
        <Choice
          {...props}
          set={({ version = form.version }) => set(changeOfVersion(form, version))}
          name="version"
          label="Protocol"
          choices={capacityVersions.map((value) => ({ value, label: value.replace('v', ' ') }))}
        />
        <Choice {...props} name="key" label="Key" choices={keys.map(itself)} />
        <Choice {...props} name="group" label="Key agreement" choices={groups.map(itself)} />
        <Field {...props} name="busy" label="Target CPU utilization, %" />
      </fieldset>
    </>
  );
}

export function Field({
  form,
  set,
  messages,
  name,
  label,
  placeholder,
}: FieldsProps & { name: FieldName; label: string; placeholder?: string }) {
  return (
    <TextInput
      label={label}
      value={form[name]}
      error={messages[name]}
      {...(placeholder === undefined ? {} : { placeholder })}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      inputMode="decimal"
      autoComplete="off"
    />
  );
}

type Option = { value: string; label: string };

export function Choice({
  form,
  set,
  messages,
  name,
  label,
  choices,
}: FieldsProps & { name: FieldName; label: string; choices: readonly Option[] }) {
  return (
    <NativeSelect
      label={label}
      value={form[name]}
      error={messages[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      data={[...choices]}
    />
  );
}

function itself(name: string): Option {
  return { value: name, label: name };
}

const connectionChoices: Option[] = [
  { value: 'yes', label: 'Kept alive' },
  { value: 'no', label: 'One per request' },
];

const sessionChoices: Option[] = [
  { value: 'yes', label: 'Resumed' },
  { value: 'no', label: 'Never resumed' },
];
