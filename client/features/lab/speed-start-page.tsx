import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { LabRecent } from './lab-recent.tsx';

export default function SpeedStartPage() {
  return (
    <>
      <PageHead tab="Speed" title="How fast are ciphers and keys?" above={<LabTabs />} />
      <SpeedCard />
      <LabRecent kinds={['speed']} />
    </>
  );
}

/** Asks for the speed of every primitive. */
function SpeedCard() {
  const { mutate, isPending, error } = useCreateMeasurement();
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() => mutate({ kind: 'speed' })}
      pending={isPending}
      error={error}
    >
      <p>
        Digests, ciphers, signatures, and key agreement on one core, beside openssl speed. About 2 minutes.
      </p>
    </RequestForm>
  );
}
