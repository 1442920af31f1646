import { SelectField, TextField } from '../../components/form-fields.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import type { FieldName, ownFieldNames } from './capacity-form.ts';
import classes from './capacity-page.module.css';
import type { FieldsProps } from './load-fields.tsx';
import type { Measurements } from './use-measurements.ts';

/** Where the figures are from: what was measured here, and what is typed goes before it. */
export function FigureFields({ measurements, ...fields }: FieldsProps & { measurements: Measurements }) {
  const choices = (name: keyof Measurements) => [
    { value: '', label: measurements[name].length === 0 ? 'Typical figures' : 'Latest' },
    ...measurements[name].map(({ id, title }) => ({ value: id, label: title })),
    ...(measurements[name].length === 0 ? [] : [{ value: 'none', label: 'None' }]),
  ];
  return (
    <>
      <fieldset className={classes.fields}>
        <legend>Measured costs</legend>
        <SelectField {...fields} name="handshakes" label="Handshakes" data={choices('handshakes')} />
        <SelectField {...fields} name="speed" label="Speed" data={choices('speed')} />
        <SelectField {...fields} name="comparison" label="Request, from a run" data={choices('comparison')} />
      </fieldset>
      <MoreFields title="Your own figures" open={Object.keys(fields.messages).some(isOwn)}>
        <fieldset className={classes.fields}>
          {Object.entries(ownTitles).map(([name, label]) => (
            <TextField
              key={name}
              {...fields}
              inputMode="decimal"
              name={name as FieldName}
              label={label}
              placeholder="as measured"
            />
          ))}
        </fieldset>
      </MoreFields>
    </>
  );
}

const ownTitles: Record<(typeof ownFieldNames)[number], string> = {
  requestUs: 'Request, µs',
  connectionUs: 'Connection, µs',
  fullUs: 'Full handshake, µs',
  resumedUs: 'Resumed handshake, µs',
  nsPerByte: 'Byte, ns',
  signsPerS: 'Signatures per second',
};

function isOwn(name: string): boolean {
  return name in ownTitles;
}
