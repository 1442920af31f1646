import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CapacityRequestInput } from '../../shared/capacity.ts';
import type { VerdictOutcome } from '../../shared/comparison.ts';
import type { DocPage } from '../../shared/doc-page.ts';
import { isOver, type KindName, type MeasurementState } from '../../shared/measurement.ts';
import type { MetricId } from '../../shared/metric.ts';
import type { ResultPair } from '../../shared/result-changes.ts';
import { callEndpoint } from './call-endpoint.ts';
import { readDoc } from './read-doc.ts';

/** What the screens read, each with its cache key. */

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => callEndpoint('limits', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export function docQuery(page: DocPage) {
  return queryOptions({
    queryKey: ['doc', page],
    queryFn: ({ signal }) => readDoc(page, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const serversQuery = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => callEndpoint('listServers', { signal }),
});

/** As the server looks at its machine only while somebody asks. */
export const machineQuery = queryOptions({
  queryKey: ['machine'],
  queryFn: ({ signal }) => callEndpoint('machine', { signal }),
  staleTime: 0,
  refetchInterval: 2_000,
});

export const scenariosQuery = queryOptions({
  queryKey: ['scenarios'],
  queryFn: ({ signal }) => callEndpoint('listScenarios', { signal }),
});

export function scenarioQuery(id: string) {
  return queryOptions({
    queryKey: ['scenario', id],
    queryFn: ({ signal }) => callEndpoint('showScenario', { params: { id }, signal }),
    staleTime: 0,
  });
}

export function revisionQuery(id: string) {
  return queryOptions({
    queryKey: ['revision', id],
    queryFn: ({ signal }) => callEndpoint('showRevision', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Null while what was filled in is no request. */
export function capacityQuery(request: CapacityRequestInput | null) {
  return queryOptions({
    queryKey: ['capacity', request],
    queryFn: ({ signal }) => callEndpoint('capacity', { body: request, signal }),
    enabled: request !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Final once the measurement of the lab is over; until then the server refuses it. */
export function attributionQuery(run: string, lab: string) {
  return queryOptions({
    queryKey: ['attribution', run, lab],
    queryFn: ({ signal }) => callEndpoint('showAttribution', { params: { id: run }, query: { lab }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** An empty one leaves out nothing. */
export type MeasurementFilter = {
  kind: KindName | '';
  state: MeasurementState | '';
  verdict: VerdictOutcome | '';
  target: string;
  tag: string;
  q: string;
};

export function measurementListQuery(filter: MeasurementFilter) {
  return infiniteQueryOptions({
    queryKey: ['measurements', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      callEndpoint('listMeasurements', { query: { cursor: pageParam, ...filter }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** Targets and tags of the list's filter. */
export const choicesQuery = queryOptions({
  queryKey: ['measurements', 'choices'],
  queryFn: ({ signal }) => callEndpoint('listChoices', { signal }),
});

export const binQuery = infiniteQueryOptions({
  queryKey: ['measurements', 'bin'],
  queryFn: ({ pageParam, signal }) => callEndpoint('listBin', { query: { cursor: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});

/** What people wrote on a measurement. */
export function labelQuery(id: string) {
  return queryOptions({
    queryKey: ['measurement', id, 'label'],
    queryFn: ({ signal }) => callEndpoint('showLabel', { params: { id }, signal }),
    staleTime: 0,
  });
}

/** The newest of a kind. */
export function recentQuery(kind: KindName, limit: number, state: MeasurementState | '' = '') {
  return queryOptions({
    queryKey: ['measurements', 'recent', kind, limit, state],
    queryFn: async ({ signal }) => {
      const query = { kind, limit: String(limit), state };
      return (await callEndpoint('listMeasurements', { query, signal })).measurements;
    },
    staleTime: 0,
  });
}

/** Finished runs of that title, the newest first. */
export function runsTitledQuery(title: string) {
  return queryOptions({
    queryKey: ['measurements', 'titled', title],
    queryFn: async ({ signal }) => {
      const query = { kind: 'comparison', state: 'finished', q: title.slice(0, 100) };
      return (await callEndpoint('listMeasurements', { query, signal })).measurements;
    },
    staleTime: 0,
  });
}

/** Grows with each run of the series. While another metric loads, the earlier one stays, so nothing folds or unmounts. */
export function seriesQuery(id: string, metric: MetricId) {
  return queryOptions({
    queryKey: ['series', id, metric],
    queryFn: ({ signal }) => callEndpoint('showSeries', { params: { id }, query: { metric }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** Both are final, and what cannot be compared stays so. */
export function changesQuery({ from, to }: ResultPair) {
  return queryOptions({
    queryKey: ['changes', from, to],
    queryFn: ({ signal }) => callEndpoint('showChanges', { params: { pair: `${from}..${to}` }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Grows while its sweep goes on. */
export function cellQuery(id: string, cell: string) {
  return queryOptions({
    queryKey: ['measurement', id, 'cell', cell],
    queryFn: ({ signal }) => callEndpoint('showCell', { params: { id, cell }, signal }),
    staleTime: ({ state }) =>
      state.data !== undefined && isOver(state.data.state) ? Number.POSITIVE_INFINITY : 0,
  });
}

const safetyNetMs = 30_000;

/** Progress comes by events; asking again now and then only makes sure that a lost stream is noticed. */
export function measurementQuery(id: string) {
  return queryOptions({
    queryKey: ['measurement', id],
    queryFn: ({ signal }) => callEndpoint('showMeasurement', { params: { id }, signal }),
    staleTime: ({ state }) =>
      state.data !== undefined && isOver(state.data.state) ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: ({ state }) =>
      state.data !== undefined && !isOver(state.data.state) ? safetyNetMs : false,
  });
}
