import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { useCreateMeasurement } from '../../api/use-create-measurement.ts';
import { RequestForm } from '../../components/request-form.tsx';

type Props = { kind: 'distance' | 'speed'; children: string };

/** Asks for a measurement that has nothing to choose. */
export function PlainCard({ kind, children }: Props) {
  const { mutate, isPending, error } = useCreateMeasurement();
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() => mutate({ kind })}
      pending={isPending}
      error={error}
    >
      <p>{children}</p>
    </RequestForm>
  );
}
