import { NativeSelect } from '@mantine/core';
import { ownOptions, priceOptions } from '../../../shared/kinds/comparison/capacity-options.ts';
import { MoreFields } from '../../components/more-fields.tsx';
import { OptionFields } from '../../components/option-fields.tsx';
import classes from './capacity.module.css';
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
        {names.map(({ name, label }) => (
          <NativeSelect
            key={name}
            label={label}
            value={String(fields.form[name])}
            error={fields.messages[name]}
            onChange={(event) => fields.set({ [name]: event.currentTarget.value })}
            data={choices(name)}
          />
        ))}
      </fieldset>
      <fieldset className={classes.fields}>
        <legend>Prices</legend>
        <OptionFields {...fields} options={priceOptions} />
      </fieldset>
      <MoreFields
        title="Your own figures"
        open={ownOptions.some(({ id }) => fields.messages[id] !== undefined)}
      >
        <fieldset className={classes.fields}>
          <OptionFields {...fields} options={ownOptions} />
        </fieldset>
      </MoreFields>
    </>
  );
}

const names: { name: keyof Measurements; label: string }[] = [
  { name: 'handshakes', label: 'Handshakes' },
  { name: 'speed', label: 'Speed' },
  { name: 'comparison', label: 'Request, from a run' },
];
