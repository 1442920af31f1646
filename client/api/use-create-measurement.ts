import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Labels } from '../../shared/measurement/runner.ts';
import type { MeasurementRequestInput } from '../../shared/results/kinds.ts';
import type { SecretValues } from '../../shared/scenario/scenario.ts';
import { rememberDeleteToken } from './kept-texts.ts';
import { callEndpoint, late } from './late-call.ts';

/** A request as it is stored, and the secret values, which are not stored. */
export type CreateMeasurement = MeasurementRequestInput & {
  kind: string;
  secrets?: SecretValues;
  /** Labels of the runner; several sets start one measurement each. */
  labels?: Labels | Labels[] | undefined;
};

/** Queues a measurement, or one for each site, keeps the delete tokens in this browser and goes to the page. */
export function useCreateMeasurement() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: CreateMeasurement) => {
      const headers = { 'idempotency-key': newIdempotencyKey() };
      const { labels } = body;
      if (Array.isArray(labels)) {
        return callEndpoint((await late.batch()).createBatch, { body: { ...body, labels }, headers });
      }
      const created = await callEndpoint((await late.measurement()).createMeasurement, { body, headers });
      return { url: created.url, measurements: [created] };
    },
    onSuccess: async ({ url, measurements }) => {
      for (const { id, deleteToken } of measurements) rememberDeleteToken(id, deleteToken);
      await queryClient.invalidateQueries({ queryKey: ['measurements'] });
      await navigate(url);
    },
  });
}

/** A key for one attempt. `crypto.randomUUID` exists only in a secure context, which a host on the local network is not. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
