import { useQuery } from '@tanstack/react-query';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { MoreFields } from '../../components/more-fields.tsx';
import { OptionRows } from '../../components/option-rows.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { useOptionForm } from '../../components/use-option-form.ts';
import { whatIsMissing } from '../../format/server-choice.ts';

const usual = ['server', 'baseline', 'comparison'];
const usualOptions = explainOptions.filter(({ id }) => usual.includes(id));
const seldomOptions = explainOptions.filter(({ id }) => !usual.includes(id));

/** Asks for an explanation. */
export function ExplainCard() {
  const { data: found } = useQuery(managedServersQuery);
  const { fields, submit, ...sending } = useOptionForm(explainOptions);
  const missing = whatIsMissing(found?.find(({ name }) => name === fields.form.server)) ?? undefined;
  const isWrong = seldomOptions.some(({ id }) => fields.messages[id] !== undefined);
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Explain"
      onSubmit={() => submit((asked) => ({ ...asked, kind: 'explain' }))}
      {...sending}
    >
      <OptionRows {...fields} messages={{ server: missing, ...fields.messages }} options={usualOptions} />
      <MoreFields title="Server and load" open={isWrong}>
        <OptionRows {...fields} options={seldomOptions} />
      </MoreFields>
    </RequestForm>
  );
}
