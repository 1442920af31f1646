import { queryOptions } from '@tanstack/react-query';
import type { Batch } from '../../shared/measurement/batch.ts';
import { isOver } from '../../shared/measurement/measurement.ts';
import { callEndpoint } from './call-endpoint.ts';
import { late } from './late-endpoints.ts';

const pollMs = 2_000;

/** What several runners measure at once, until all of them are done. */
export function batchQuery(id: string) {
  return queryOptions({
    queryKey: ['batch', id],
    queryFn: async ({ signal }) => callEndpoint((await late.batch()).showBatch, { params: { id }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined || isDone(state.data) ? false : pollMs),
  });
}

export function isDone({ sites }: Batch): boolean {
  return sites.every(({ measurement }) => measurement === null || isOver(measurement.state));
}

/** From a measurement to what other sites measure of the same. */
export function batchOfQuery(id: string) {
  return queryOptions({
    queryKey: ['measurement', id, 'batch'],
    queryFn: async ({ signal }) =>
      (await callEndpoint((await late.batch()).showBatchOf, { params: { id }, signal })).batch,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
