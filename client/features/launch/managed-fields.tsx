import { useQuery } from '@tanstack/react-query';
import { comparisonOptions } from '../../../shared/kinds/comparison/options.ts';
import type { ServerName } from '../../../shared/target/server-names.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { SelectField } from '../../components/form-fields.tsx';
import { OptionFields } from '../../components/option-fields.tsx';
import { serverChoices, whatIsMissing } from '../../format/server-choice.ts';
import type { FieldProps } from './form-shape.ts';
import { optionsOf } from './load-fields.tsx';

const documents = comparisonOptions.filter(({ id }) => id === 'target.documents');

/** A server of the machine for each side, and what they serve. */
export function ManagedFields(props: FieldProps) {
  const { form, messages } = props;
  const { data: found } = useQuery(managedServersQuery);
  const missing = (server: ServerName | '') => whatIsMissing(found?.find(({ name }) => name === server));
  const { server, 'sides.comparison.target.server': other } = form;
  return (
    <FieldRow>
      <SelectField
        {...props}
        name="server"
        label="Server"
        error={messages.server ?? missing(server)}
        data={serverChoices(found)}
      />
      <SelectField
        {...props}
        name="sides.comparison.target.server"
        label="Server of the comparison"
        error={messages['sides.comparison.target.server'] ?? missing(other)}
        data={[{ value: '', label: 'As baseline' }, ...serverChoices(found)]}
      />
      <OptionFields {...optionsOf(props)} options={documents} />
    </FieldRow>
  );
}
