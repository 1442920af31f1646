import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { CapacityRequestInput } from '../../shared/capacity.ts';
import type { DocPage } from '../../shared/doc-page.ts';
import type { RunState } from '../../shared/run.ts';
import { isOver } from '../../shared/run.ts';
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

export const recentRunsQuery = queryOptions({
  queryKey: ['runs', 'recent'],
  queryFn: ({ signal }) => callEndpoint('listRuns', { query: { limit: '5' }, signal }),
  staleTime: 0,
});

export const finishedRunsQuery = queryOptions({
  queryKey: ['runs', 'finished'],
  queryFn: ({ signal }) => callEndpoint('listRuns', { query: { limit: '20', state: 'finished' }, signal }),
  staleTime: 0,
});

/** Null while what was filled in is no request. */
export function capacityQuery(request: CapacityRequestInput | null) {
  return queryOptions({
    queryKey: ['capacity', request],
    queryFn: ({ signal }) => callEndpoint('capacity', { body: request, signal }),
    enabled: request !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const recentLabsQuery = queryOptions({
  queryKey: ['labs', 'recent'],
  queryFn: ({ signal }) => callEndpoint('listLabs', { query: { limit: '20' }, signal }),
  staleTime: 0,
});

/** As of a run: progress comes by events. */
export function labQuery(id: string) {
  return queryOptions({
    queryKey: ['lab', id],
    queryFn: ({ signal }) => callEndpoint('showLab', { params: { id }, signal }),
    staleTime: ({ state }) =>
      state.data !== undefined && isOver(state.data.state) ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: ({ state }) =>
      state.data !== undefined && !isOver(state.data.state) ? safetyNetMs : false,
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

export type RunFilter = { q: string; state: RunState | '' };

export function runListQuery({ q, state }: RunFilter) {
  return infiniteQueryOptions({
    queryKey: ['runs', 'list', q, state],
    queryFn: ({ pageParam, signal }) =>
      callEndpoint('listRuns', { query: { cursor: pageParam, q, state }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

const safetyNetMs = 30_000;

/** Progress comes by events; asking again now and then only makes sure that a lost stream is noticed. */
export function runQuery(id: string) {
  return queryOptions({
    queryKey: ['run', id],
    queryFn: ({ signal }) => callEndpoint('showRun', { params: { id }, signal }),
    staleTime: ({ state }) =>
      state.data !== undefined && isOver(state.data.state) ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: ({ state }) =>
      state.data !== undefined && !isOver(state.data.state) ? safetyNetMs : false,
  });
}
