import { measurementEndpoints } from '../../../../shared/api/measurement-endpoints.ts';
import { visitsTable } from '../../../../shared/kinds/visits/options.ts';
import { ChoicePills } from '../../../components/choice-pills.tsx';
import { FieldRow } from '../../../components/field-row.tsx';
import { TextField } from '../../../components/form-fields.tsx';
import { RequestForm } from '../../../components/request-form.tsx';
import { TargetFields } from '../../../components/target-fields.tsx';
import { useRequestForm } from '../../../components/use-request-form.ts';
import { journeyChoices, parseVisitsForm, type VisitsForm } from './visits-form.ts';

export function VisitsCard({ initial }: { initial: VisitsForm }) {
  const { form, set, tried, submit, pending, error } = useRequestForm(initial);
  const { request, messages } = parseVisitsForm(form);
  const fields = { form, set, messages: tried ? messages : {} };
  const journeys = journeyChoices(form);
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() => submit(request)}
      pending={pending}
      error={error}
    >
      <p>
        Chromium visits both sides with a cold and a warm cache.{' '}
        {form.kind === 'storefront' ? 'The built-in storefront is started for it: no address is needed.' : ''}
      </p>
      <TargetFields label="Target" {...fields} />
      <FieldRow>
        {journeys.length === 1 ? null : (
          <ChoicePills
            legend="Journey"
            legendShown
            name="journey"
            value={form.journey}
            choices={journeys}
            onChange={(journey) => set({ journey })}
          />
        )}
        {form.kind === 'origins' && form.journey === 'usual' ? (
          <TextField {...fields} name="page" label="Page" description="A path, opened on both sides." />
        ) : null}
        <TextField
          {...fields}
          name="blocks"
          label={visitsTable.blocks.label}
          description="Six visits each, about 10 s on the storefront."
          inputMode="numeric"
        />
      </FieldRow>
    </RequestForm>
  );
}
