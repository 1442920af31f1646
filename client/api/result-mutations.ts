import { useMutation, useQueryClient } from '@tanstack/react-query';
import { binEndpoints } from '../../shared/api/housekeeping-endpoints.ts';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import type { AnnotationChange } from '../../shared/measurement/annotation.ts';
import { type BinOutcome, mostAtOnce } from '../../shared/results/schedule.ts';
import type { PlannedMeasurement } from '../../shared/studies/study-report.ts';
import { forgetDeleteToken, recallDeleteToken, rememberDeleteToken } from './kept-texts.ts';
import { callEndpoint, late } from './late-call.ts';
import { annotationQuery } from './queries.ts';
import { measurementQuery, studiesQuery } from './result-queries.ts';

export type BinAct = 'binMeasurements' | 'restoreMeasurements' | 'removeMeasurements';

/** Does it with those that are ours, and leaves the others alone. */
export async function actOnBin(act: BinAct, ids: readonly string[]): Promise<BinOutcome> {
  const items = ids.flatMap((id) => {
    const deleteToken = recallDeleteToken(id);
    return deleteToken === null ? [] : [{ id, deleteToken }];
  });
  const outcome: BinOutcome = { done: [], refused: [] };
  for (let at = 0; at < items.length; at += mostAtOnce) {
    const { done, refused } = await callEndpoint(binEndpoints[act], {
      body: { items: items.slice(at, at + mostAtOnce) },
    });
    outcome.done.push(...done);
    outcome.refused.push(...refused);
    if (act === 'removeMeasurements') for (const id of done) forgetDeleteToken(id);
  }
  return outcome;
}

/** Queues measurements of the studies in their order. Measurements that ended early go on. A second reader adds none meanwhile. */
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

/** Changes what is written on a measurement; lists that show it are read again. */
export function useAnnotate(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: AnnotationChange) =>
      callEndpoint(measurementEndpoints.changeAnnotation, { params: { id }, body }),
    async onSuccess(annotation) {
      queryClient.setQueryData(annotationQuery(id).queryKey, annotation);
      await queryClient.invalidateQueries({ queryKey: ['measurements'] });
    },
  });
}

/** Acts on the bin from a list, which is read again afterwards. */
export function useActOnBin(act: BinAct) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => actOnBin(act, ids),
    async onSuccess({ done }) {
      for (const id of done) queryClient.removeQueries({ queryKey: measurementQuery(id).queryKey });
      await queryClient.invalidateQueries({ queryKey: ['measurements'] });
    },
  });
}
