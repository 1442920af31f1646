import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import type { MeasurementRequestInput } from '../../shared/kinds.ts';
import type { SecretValues } from '../../shared/scenario.ts';
import { callEndpoint } from './call-endpoint.ts';
import { rememberDeleteToken } from './delete-tokens.ts';
import { newIdempotencyKey } from './idempotency-key.ts';

/** What is stored of a request, and the values that must not be. */
export type CreateMeasurement = MeasurementRequestInput & { kind: string; secrets?: SecretValues };

/** Queues a measurement, keeps its delete token in this browser and goes to its page. */
export function useCreateMeasurement() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateMeasurement) =>
      callEndpoint(measurementEndpoints.createMeasurement, {
        body,
        headers: { 'idempotency-key': newIdempotencyKey() },
      }),
    onSuccess: async ({ id, url, deleteToken }) => {
      rememberDeleteToken(id, deleteToken);
      await queryClient.invalidateQueries({ queryKey: ['measurements'] });
      await navigate(url);
    },
  });
}
