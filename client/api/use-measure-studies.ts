import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PlannedMeasurement } from '../../shared/studies/study-report.ts';
import { callEndpoint } from './call-endpoint.ts';
import { rememberDeleteToken } from './delete-tokens.ts';
import { late } from './late-endpoints.ts';
import { studiesQuery } from './studies-query.ts';

/** Queues measurements of the studies in their order. What ended early goes on. Somebody who does the same at the same time makes no second one. */
export function useMeasureStudies() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (missing: readonly PlannedMeasurement[]) => {
      const { createMeasurement, resumeMeasurement } = await late.measurement();
      for (const { request, resumes, key } of missing) {
        if (resumes !== null) {
          await callEndpoint(resumeMeasurement, { params: { id: resumes } });
          continue;
        }
        const headers = { 'idempotency-key': key };
        const { id, deleteToken } = await callEndpoint(createMeasurement, { body: request, headers });
        rememberDeleteToken(id, deleteToken);
      }
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: studiesQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: ['measurements'] }),
      ]),
  });
}
