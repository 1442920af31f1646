import { capacityVersions } from '../../../shared/kinds/comparison/capacity.ts';
import { SelectField, TextField } from '../../components/form-fields.tsx';
import { type CapacityForm, changeOfVersion, type FieldMessages, offered } from './capacity-form.ts';
import classes from './capacity-page.module.css';

export type FieldsProps = {
  form: CapacityForm;
  set: (change: Partial<CapacityForm>) => void;
  messages: FieldMessages;
};

export function LoadFields(fields: FieldsProps) {
  const { form, set } = fields;
  const { keys, groups } = offered(form.version);
  return (
    <>
      <fieldset className={classes.fields}>
        <legend>Load</legend>
        <TextField {...fields} inputMode="decimal" name="visits" label="Visits per second" />
        <TextField {...fields} inputMode="decimal" name="requests" label="Requests per visit" />
        <TextField {...fields} inputMode="decimal" name="kilobytes" label="Response size, kB" />
        <TextField {...fields} inputMode="decimal" name="returning" label="Returning visitors, %" />
      </fieldset>
      <fieldset className={classes.fields}>
        <legend>Server</legend>
        <SelectField {...fields} name="keepAlive" label="Connections" data={connectionChoices} />
        {form.keepAlive === 'yes' ? (
          <TextField {...fields} inputMode="decimal" name="connections" label="Connections per visit" />
        ) : null}
        <SelectField {...fields} name="resumption" label="Sessions" data={sessionChoices} />
        <SelectField
          {...fields}
          set={({ version = form.version }) => set(changeOfVersion(form, version))}
          name="version"
          label="Protocol"
          data={capacityVersions.map((value) => ({ value, label: value.replace('v', ' ') }))}
        />
        <SelectField {...fields} name="key" label="Key" data={keys.map(itself)} />
        <SelectField {...fields} name="group" label="Key agreement" data={groups.map(itself)} />
        <TextField {...fields} inputMode="decimal" name="busy" label="Target CPU utilization, %" />
      </fieldset>
    </>
  );
}

type Option = { value: string; label: string };

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
