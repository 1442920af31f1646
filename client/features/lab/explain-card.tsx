import { useQuery } from '@tanstack/react-query';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { PlacedOption } from '../../../shared/base/option.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { OptionField } from '../../components/option-field.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { useRequestForm } from '../../components/use-request-form.ts';
import { whatIsMissing } from '../../format/server-choice.ts';
import {
  type ExplainForm,
  emptyExplainForm,
  parseExplainForm,
  seldomOptions,
  usualOptions,
} from './explain-form.ts';

/** Asks for an explanation. */
export function ExplainCard() {
  const { form, set, tried, submit, pending, error } = useRequestForm(emptyExplainForm);
  const { data: found } = useQuery(managedServersQuery);
  const { request, messages } = parseExplainForm(form);
  const said: Partial<Record<keyof ExplainForm, string | undefined>> = {
    server: whatIsMissing(found?.find((server) => server.name === form.server)) ?? undefined,
    ...(tried ? messages : {}),
  };
  const fields = (options: readonly PlacedOption[]) =>
    options.map(({ id, name, option }) => (
      <OptionField
        key={id}
        option={option}
        value={form[name as keyof ExplainForm]}
        error={said[name as keyof ExplainForm]}
        onChange={(value) => set({ [name]: value })}
      />
    ));
  const isWrong = seldomOptions.some(({ name }) => said[name as keyof ExplainForm] !== undefined);
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Explain"
      onSubmit={() => submit(request)}
      pending={pending}
      error={error}
    >
      <FieldRow>{fields(usualOptions)}</FieldRow>
      <MoreFields title="Server and load" open={isWrong}>
        <FieldRow>{fields(seldomOptions)}</FieldRow>
      </MoreFields>
    </RequestForm>
  );
}
