import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { ChoiceCards } from '../../components/choice-cards.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { useRequestForm } from '../../components/use-request-form.ts';
import { AxesFields } from './axes-fields.tsx';
import { emptyLabForm, type LabForm, parseLabForm } from './lab-form.ts';

export function LabCard() {
  const { form, set, tried, submit, pending, error } = useRequestForm(emptyLabForm);
  const { request, messages } = parseLabForm(form);
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() => submit(request)}
      pending={pending}
      error={error}
    >
      <ChoiceCards
        legend="What to measure"
        name="grid"
        value={form.grid}
        choices={grids}
        onChange={(grid) => set({ grid })}
      />
      {form.grid === 'own' ? (
        <AxesFields form={form} set={set} messages={tried ? (messages ?? {}) : {}} />
      ) : null}
    </RequestForm>
  );
}

const grids: { value: LabForm['grid']; title: string; body: string }[] = [
  {
    value: 'today',
    title: 'Today',
    body: 'TLS 1.3 and 1.2, current keys and suites, full and resumed. About 90 s.',
  },
  {
    value: 'post-quantum',
    title: 'Post-quantum',
    body: 'Hybrid key agreement and ML-DSA against X25519 and P-256. About 90 s.',
  },
  {
    value: 'classic',
    title: '1997 study',
    body: 'RSA keys, old and new suites, four payloads. About 90 s.',
  },
  {
    value: 'everything',
    title: 'Everything',
    body: 'Every suite, key, and group. About 10 minutes.',
  },
  { value: 'own', title: 'Custom grid', body: 'Choose the axes.' },
];
