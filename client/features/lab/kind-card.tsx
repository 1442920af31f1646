import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { PlacedOption } from '../../../shared/base/option.ts';
import { speedOptions } from '../../../shared/kinds/speed/options.ts';
import type { CreateMeasurement } from '../../api/use-create-measurement.ts';
import { PageHead } from '../../components/action-button.tsx';
import { MoreFields } from '../../components/form-fields.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { LabTabs, OptionRows, RecentOfKinds, useOptionForm } from '../../components/start-form.tsx';

export function SpeedPage() {
  return (
    <>
      <PageHead tab="Speed" title="How fast are ciphers and keys?" above={<LabTabs />} />
      <KindCard kind="speed" options={speedOptions}>
        Digests, ciphers, signatures, and key agreement on one core, beside openssl speed. About 2 minutes.
      </KindCard>
      <RecentOfKinds kinds={['speed']} />
    </>
  );
}

type Props = {
  kind: CreateMeasurement['kind'];
  options: readonly PlacedOption[];
  children: string;
};

/** Asks for a measurement of which most people choose nothing. */
export function KindCard({ kind, options, children }: Props) {
  const { fields, submit, ...sending } = useOptionForm(options);
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() => submit((asked) => ({ ...asked, kind }))}
      {...sending}
    >
      <p>{children}</p>
      <MoreFields title="Options" open={Object.keys(fields.messages).length > 0}>
        <OptionRows {...fields} options={options} />
      </MoreFields>
    </RequestForm>
  );
}
