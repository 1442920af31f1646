import { Textarea, TextInput } from '@mantine/core';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { PresetButtons } from '../../components/preset-buttons.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { ServerFields } from '../../components/server-fields.tsx';
import { useRequestForm } from '../../components/use-request-form.ts';
import { emptySizesForm, parseSizesForm } from './sizes-form.ts';

/** Asks for a sweep over sizes. */
export function SizesCard() {
  const { form, set, tried, submit, pending, error } = useRequestForm(emptySizesForm);
  const { request, messages } = parseSizesForm(form);
  const shown = tried ? messages : {};
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
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
      <Textarea
        label="Document sizes, bytes"
        description="The 24 sizes of the 1998 study, or your own."
        value={form.sizes}
        error={shown.sizes}
        onChange={(event) => set({ sizes: event.currentTarget.value })}
        autosize
        minRows={2}
        spellCheck={false}
      />
      <FieldRow>
        <TextInput
          label="Cipher suites"
          description="One HTTPS side for each. Empty: the library’s choice."
          value={form.suites}
          error={shown.suites}
          onChange={(event) => set({ suites: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label="Rounds"
          description="About 5 s each with the 24 sizes."
          value={form.rounds}
          error={shown.rounds}
          onChange={(event) => set({ rounds: event.currentTarget.value })}
          inputMode="numeric"
          autoComplete="off"
        />
      </FieldRow>
    </RequestForm>
  );
}
