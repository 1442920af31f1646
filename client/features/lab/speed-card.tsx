import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { RequestForm } from '../../components/request-form.tsx';

/** Asks for the speed of every primitive. */
export function SpeedCard() {
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
