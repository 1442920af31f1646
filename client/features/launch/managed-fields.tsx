import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { ServerName } from '../../../shared/target/server-names.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { OptionFields } from '../../components/option-fields.tsx';
import { serverChoices, whatIsMissing } from '../../format/server-choice.ts';
import type { FieldMessages, LaunchForm, SetField } from './form-shape.ts';
import { optionsOf } from './load-fields.tsx';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

const documents = comparisonOptions.filter(({ id }) => id === 'target.documents');

/** A server of the machine for each side, and what they serve. */
export function ManagedFields(props: Props) {
  const { form, set, messages } = props;
  const { data: found } = useQuery(managedServersQuery);
  const missing = (server: ServerName | '') => whatIsMissing(found?.find(({ name }) => name === server));
  const { server, 'sides.comparison.target.server': other } = form;
  return (
    <FieldRow>
      <NativeSelect
        label="Server"
        value={server}
        error={messages.server ?? missing(server)}
        onChange={(event) => set({ server: event.currentTarget.value as ServerName })}
        data={serverChoices(found)}
      />
      <NativeSelect
        label="Server of the comparison"
        value={other}
        error={messages['sides.comparison.target.server'] ?? missing(other)}
        onChange={(event) =>
          set({ 'sides.comparison.target.server': event.currentTarget.value as ServerName | '' })
        }
        data={[{ value: '', label: 'As baseline' }, ...serverChoices(found)]}
      />
      <OptionFields {...optionsOf(props)} options={documents} />
    </FieldRow>
  );
}
