import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { legacyKeys, legacyVersions } from '../../../shared/base/cipher-suites.ts';
import type { HandshakesPreset } from '../../../shared/kinds/handshakes/handshakes.ts';
import { gridOptions } from '../../../shared/kinds/handshakes/options.ts';
import type { CreateMeasurement } from '../../api/use-create-measurement.ts';
import { PageHead } from '../../components/action-button.tsx';
import { OptionFields, type OptionFieldsProps } from '../../components/form-fields.tsx';
import { ChoiceCards } from '../../components/pills.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { LabTabs, OptionRows, RecentOfKinds, useRequestForm } from '../../components/start-form.tsx';
import { formOf, type OptionForm, readForm } from '../../format/option-form.ts';

export default function LabPage() {
  return (
    <>
      <PageHead tab="Handshakes" title="What does a handshake cost?" above={<LabTabs />} />
      <LabCard />
      <RecentOfKinds kinds={['handshakes']} />
    </>
  );
}

const legacyOption = gridOptions.filter(({ id }) => id === 'legacy');
const axes = gridOptions.filter((placed) => !legacyOption.includes(placed));
const legacy: ReadonlySet<string> = new Set([...legacyVersions, ...legacyKeys]);

/** The axes of a grid: what is left empty takes everything that fits the rest. The old ones only when asked for. */
export function AxesFields({ form, set, messages }: OptionFieldsProps & { form: OptionForm }) {
  const current = (choice: { value: string; label: string }) =>
    form.legacy || !legacy.has(choice.value) ? choice : null;
  const withoutLegacy = (id: string) => (form[id] as readonly string[]).filter((each) => !legacy.has(each));
  return (
    <div className="stack wide">
      <OptionFields
        form={form}
        messages={messages}
        options={legacyOption}
        set={(change) =>
          set(
            change.legacy
              ? change
              : {
                  ...change,
                  'grid.versions': withoutLegacy('grid.versions'),
                  'grid.keys': withoutLegacy('grid.keys'),
                },
          )
        }
      />
      <OptionRows
        form={form}
        set={set}
        messages={messages}
        options={axes}
        choices={{ 'grid.versions': current, 'grid.keys': current }}
      />
    </div>
  );
}

const opened = {
  grid: 'today',
  ...formOf(gridOptions, {
    grid: {
      ...{ versions: ['TLSv1.3'], keys: ['P-256'], groups: ['X25519', 'X25519MLKEM768'] },
      ...{ bytes: [1], resumption: ['full', 'resumed'] },
    },
  }),
};

export function LabCard() {
  const { form, set, tried, submit, pending, error } = useRequestForm<OptionForm>(opened);
  const { grid } = form;
  const { asked, messages } = readForm(grid === 'own' ? gridOptions : [], form);
  const request = { kind: 'handshakes', ...asked, grid: grid === 'own' ? (asked.grid ?? {}) : grid };
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() => submit(Object.keys(messages).length === 0 ? (request as CreateMeasurement) : null)}
      pending={pending}
      error={error}
    >
      <ChoiceCards
        legend="What to measure"
        name="grid"
        value={grid as Grid}
        choices={grids}
        onChange={(chosen) => set({ grid: chosen })}
      />
      {grid === 'own' ? <AxesFields form={form} set={set} messages={tried ? messages : {}} /> : null}
    </RequestForm>
  );
}

type Grid = HandshakesPreset | 'own';

const grids: { value: Grid; title: string; body: string }[] = [
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
