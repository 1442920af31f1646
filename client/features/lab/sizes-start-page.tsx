import { useQuery } from '@tanstack/react-query';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { sizesOptions } from '../../../shared/kinds/sizes/options.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import {
  LabTabs,
  OptionRows,
  PresetButtons,
  RecentOfKinds,
  useOptionForm,
} from '../../components/start-form.tsx';
import { formOf } from '../../format/option-form.ts';
import { serverChoices, whatIsMissing } from '../../format/server-choice.ts';

export default function SizesPage() {
  return (
    <>
      <PageHead tab="Sizes" title="What does HTTPS add to a document?" above={<LabTabs />}>
        <p>For each size: per request, per byte, and per TLS record.</p>
      </PageHead>
      <SizesCard />
      <RecentOfKinds kinds={['sizes']} />
    </>
  );
}

const [ofServer, ofPlan] = ['target', null].map((asked) => sizesOptions.filter(({ part }) => part === asked));
const study = formOf(sizesOptions.filter(({ id }) => id === 'sizes' || id === 'rounds'));

/** Asks for a sweep over sizes. */
export function SizesCard() {
  const { data: found } = useQuery(managedServersQuery);
  const { fields, submit, ...sending } = useOptionForm(sizesOptions);
  const missing = whatIsMissing(found?.find(({ name }) => name === fields.form['target.server']));
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() =>
        submit(({ target, ...asked }) => ({
          ...{ ...asked, kind: 'sizes' },
          target: { kind: 'managed', ...(target as object) },
        }))
      }
      {...sending}
    >
      <PresetButtons
        legend="Presets"
        presets={[{ value: 'webperf-1998', label: 'WebPerf 1998' }]}
        onChoose={() => fields.set(study)}
      />
      <OptionRows
        {...fields}
        options={ofServer ?? []}
        messages={missing === null ? {} : { 'target.server': missing }}
        choices={{
          'target.server': ({ value }) => serverChoices(found).find((each) => each.value === value) ?? null,
        }}
      />
      <OptionRows {...fields} options={ofPlan ?? []} />
    </RequestForm>
  );
}
