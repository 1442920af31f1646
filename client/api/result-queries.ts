import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { documentEndpoints } from '../../shared/api/document-endpoints.ts';
import { runEndpoints } from '../../shared/api/run-endpoints.ts';
import type { BillRequestInput } from '../../shared/kinds/comparison/bill.ts';
import type { MetricId } from '../../shared/kinds/comparison/metric.ts';
import type { ResultPair } from '../../shared/kinds/comparison/result-changes.ts';
import { isOver } from '../../shared/measurement/measurement.ts';
import { isFinal } from '../../shared/measurement/shown-measurement.ts';
import { callEndpoint } from './call-endpoint.ts';
import { showPage } from './shown-document.ts';

/** What the screens read of results, each with its cache key. */

/** Final once the explanation is over; until then the server refuses it. */
export function explanationQuery(run: string, explain: string) {
  return queryOptions({
    queryKey: ['explanation', run, explain],
    queryFn: ({ signal }) =>
      callEndpoint(runEndpoints.showExplanation, { params: { id: run }, query: { explain }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Null while a field of it is wrong. */
export function billQuery(run: string, request: BillRequestInput | null) {
  return queryOptions({
    queryKey: ['bill', run, request],
    queryFn: ({ signal }) =>
      callEndpoint(runEndpoints.billRun, {
        params: { id: run },
        ...(request !== null && { body: request }),
        signal,
      }),
    enabled: request !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Grows with each run of the series. While another metric loads, the earlier one stays, so nothing folds or unmounts. */
export function seriesQuery(id: string, metric: MetricId) {
  return queryOptions({
    queryKey: ['series', id, metric],
    queryFn: ({ signal }) =>
      callEndpoint(runEndpoints.showSeries, { params: { id }, query: { metric }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** Both are final, and what cannot be compared stays so. */
export function changesQuery({ from, to }: ResultPair) {
  return queryOptions({
    queryKey: ['changes', from, to],
    queryFn: ({ signal }) =>
      callEndpoint(documentEndpoints.showChanges, { params: { pair: `${from}..${to}` }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Grows while its sweep goes on. */
export function cellQuery(id: string, cell: string) {
  return queryOptions({
    queryKey: ['measurement', id, 'cell', cell],
    queryFn: ({ signal }) => callEndpoint(documentEndpoints.showCell, { params: { id, cell }, signal }),
    staleTime: ({ state }) =>
      state.data !== undefined && isOver(state.data.state) ? Number.POSITIVE_INFINITY : 0,
  });
}

const lateMs = 2_000;

/**
 * Progress comes by events, because a document is made anew at each request. A finished measurement that still waits for its browser
 * is polled, because nothing is being measured any more.
 */
export function measurementQuery(id: string) {
  return queryOptions({
    queryKey: ['measurement', id],
    queryFn: ({ signal }) => callEndpoint(showPage, { params: { id }, signal }),
    staleTime: ({ state: { data } }) => (data !== undefined && isFinal(data) ? Number.POSITIVE_INFINITY : 0),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isOver(data.state) && !isFinal(data) ? lateMs : false,
  });
}
