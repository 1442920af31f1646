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
import { emptyMeshForm, type MeshForm, parseMeshForm, seldomOptions, usualOptions } from './mesh-form.ts';

/** Asks for a measurement of a mesh. */
export function MeshCard() {
  const { form, set, tried, submit, pending, error } = useRequestForm(emptyMeshForm);
  const { data: found } = useQuery(managedServersQuery);
  const { request, messages } = parseMeshForm(form);
  const missing = (name: string) => whatIsMissing(found?.find((server) => server.name === name)) ?? undefined;
  const said: Partial<Record<keyof MeshForm, string | undefined>> = {
    proxy: missing(form.proxy),
    ...(form.address === '' ? { application: missing(form.application) } : {}),
    ...(tried ? messages : {}),
  };
  const fields = (options: readonly PlacedOption[]) =>
    options.map(({ id, name, option }) => (
      <OptionField
        key={id}
        option={option}
        value={form[name as keyof MeshForm]}
        error={said[name as keyof MeshForm]}
        onChange={(value) => set({ [name]: value })}
      />
    ));
  const isWrong = seldomOptions.some(({ name }) => said[name as keyof MeshForm] !== undefined);
  const ofType = (isFlag: boolean) =>
    usualOptions.filter(({ option }) => (option.type === 'flag') === isFlag);
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() => submit(request)}
      pending={pending}
      error={error}
    >
      <FieldRow>{fields(ofType(false))}</FieldRow>
      {fields(ofType(true))}
      <MoreFields title="Application and load" open={isWrong}>
        <FieldRow>{fields(seldomOptions)}</FieldRow>
      </MoreFields>
    </RequestForm>
  );
}
