import { useState } from 'react';
import { placeOptions } from '../../../shared/base/option.ts';
import { serverOptions } from '../../../shared/target/server-options.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { ServerFields } from '../../components/server-fields.tsx';
import {
  emptyForm,
  type FieldMessages,
  type LaunchForm,
  type OptionId,
  type SetField,
} from './form-shape.ts';
import classes from './launch-card.module.css';
import { OptionFields } from './load-fields.tsx';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

const placed = placeOptions('target', serverOptions);
const documents = placed.filter(({ name }) => name === 'documents');
const folded = placed.filter(({ option }) => option.field !== false);
const [flags, others] = [true, false].map((isFlag) =>
  folded.filter(({ option }) => (option.type === 'flag') === isFlag),
) as [typeof folded, typeof folded];

/** A server of the machine, and what it serves. */
export function ManagedFields(props: Props) {
  const { form, set, messages } = props;
  const [used] = useState(folded.some(({ id }) => form[id as OptionId] !== emptyForm[id as OptionId]));
  const wrong = folded.some(({ id }) => messages[id as OptionId] !== undefined);
  return (
    <>
      <p className={classes.hint}>
        Started for the run as three identical servers with a minimal configuration, which the result shows.
      </p>
      <ServerFields
        form={{ server: form.server, key: form['target.key'] }}
        set={({ key, ...change }) => set({ ...change, ...(key !== undefined && { 'target.key': key }) })}
      />
      <OptionFields {...props} options={documents} />
      <MoreFields title="Server options" open={used || wrong}>
        <FieldRow>
          <OptionFields {...props} options={others} />
          <div className={classes.stack}>
            <OptionFields {...props} options={flags} />
          </div>
        </FieldRow>
      </MoreFields>
    </>
  );
}
