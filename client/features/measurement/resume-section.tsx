import { useMutation, useQueryClient } from '@tanstack/react-query';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { ShownMeasurement } from '../../../shared/measurement/shown-measurement.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { mayCall } from '../../api/identity.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';

const early = ['incomplete', 'interrupted', 'failed'];

export function ResumeSection({
  document: { id, state },
  noun,
}: {
  document: ShownMeasurement;
  noun: string;
}) {
  const queryClient = useQueryClient();
  const resume = useMutation({
    mutationFn: () => callEndpoint(measurementEndpoints.resumeMeasurement, { params: { id } }),
    onSuccess: () => queryClient.resetQueries({ queryKey: measurementQuery(id).queryKey }),
  });
  if (!early.includes(state) || !mayCall(measurementEndpoints.resumeMeasurement)) return null;
  return (
    <Section
      id="resume"
      title="It ended early"
      lead={`What was measured stays, and the ${noun} goes on where it was.`}
      card
    >
      <ProblemNotice error={resume.error} />
      <ActionButton pending={resume.isPending} onClick={() => resume.mutate()}>
        Resume
      </ActionButton>
    </Section>
  );
}
