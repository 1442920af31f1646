import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { AreaField, TextField } from '../../components/form-fields.tsx';
import { PresetButtons } from '../../components/preset-buttons.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { ServerFields } from '../../components/server-fields.tsx';
import { useRequestForm } from '../../components/use-request-form.ts';
import { emptySizesForm, parseSizesForm } from './sizes-form.ts';

/** Asks for a sweep over sizes. */
export function SizesCard() {
  const { form, set, tried, submit, pending, error } = useRequestForm(emptySizesForm);
  const { request, messages } = parseSizesForm(form);
  const fields = { form, set, messages: tried ? messages : {} };
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Start sweep"
      onSubmit={() => submit(request && { ...request, kind: 'sizes' })}
      pending={pending}
      error={error}
    >
      <PresetButtons
        legend="Presets"
        presets={[{ value: 'webperf-1998', label: 'WebPerf 1998' }]}
        onChoose={() => set({ sizes: emptySizesForm.sizes, rounds: emptySizesForm.rounds })}
      />
      <ServerFields form={form} set={set} />
      <AreaField
        {...fields}
        name="sizes"
        label="Document sizes, bytes"
        description="The 24 sizes of the 1998 study, or your own."
        autosize
        minRows={2}
      />
      <FieldRow>
        <TextField
          {...fields}
          name="suites"
          label="Cipher suites"
          description="One HTTPS side for each. Empty: the library’s choice."
        />
        <TextField
          {...fields}
          name="rounds"
          label="Rounds"
          description="About 5 s each with the 24 sizes."
          inputMode="numeric"
        />
      </FieldRow>
    </RequestForm>
  );
}
