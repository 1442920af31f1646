import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { DocPage } from '../../shared/base/addresses.ts';
import type { VerdictOutcome } from '../../shared/kinds/comparison/comparison.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import type { MeasurementState } from '../../shared/measurement/measurement.ts';
import type { RunnerList } from '../../shared/measurement/runner.ts';
import { adoptDeleteTokens } from './kept-texts.ts';
import { callEndpoint, late, UnreachableError } from './late-call.ts';

/** Queries of the screens except those of results, each with its cache key. */

export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: async ({ signal }) => callEndpoint((await late.server()).limits, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export function docQuery(page: DocPage) {
  return queryOptions({
    queryKey: ['doc', page],
    queryFn: ({ signal }) => readDoc(page, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const managedServersQuery = queryOptions({
  queryKey: ['servers'],
  queryFn: async ({ signal }) => callEndpoint((await late.server()).listServers, { signal }),
});

/** Servers that answer on loopback of the server's machine. */
export const localServersQuery = queryOptions({
  queryKey: ['local-servers'],
  queryFn: async ({ signal }) =>
    (await callEndpoint((await late.target()).lookUp, { body: {}, signal })).servers,
  staleTime: 30_000,
});

/** Poll interval while something is measured, because each answer costs CPU. Live results arrive as events. */
const besideMs = 15_000;

/** Polled, because the server reads its machine only on request; never during a measurement, whose end the bar waits for. */
export const machineQuery = queryOptions({
  queryKey: ['machine'],
  queryFn: async ({ signal }) => callEndpoint((await late.server()).machine, { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.holder == null ? 2_000 : false),
});

export const scenariosQuery = queryOptions({
  queryKey: ['scenarios'],
  queryFn: async ({ signal }) => callEndpoint((await late.scenario()).listScenarios, { signal }),
});

export function scenarioQuery(id: string) {
  return queryOptions({
    queryKey: ['scenario', id],
    queryFn: async ({ signal }) =>
      callEndpoint((await late.scenario()).showScenario, { params: { id }, signal }),
    staleTime: 0,
  });
}

export function revisionQuery(id: string) {
  return queryOptions({
    queryKey: ['revision', id],
    queryFn: async ({ signal }) =>
      callEndpoint((await late.scenario()).showRevision, { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** They never change while the server runs. */
export const examplesQuery = queryOptions({
  queryKey: ['examples'],
  queryFn: async ({ signal }) =>
    (await callEndpoint((await late.example()).listExamples, { signal })).examples,
  staleTime: Number.POSITIVE_INFINITY,
});

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
    queryFn: async ({ pageParam, signal }) => {
      const query = { cursor: pageParam, ...filter };
      const page = await callEndpoint((await late.measurement()).listMeasurements, { query, signal });
      adoptDeleteTokens(page.measurements);
      return page;
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** Targets and tags of the list's filter. */
export const choicesQuery = queryOptions({
  queryKey: ['measurements', 'choices'],
  queryFn: async ({ signal }) => callEndpoint((await late.measurement()).listChoices, { signal }),
});

export function annotationQuery(id: string) {
  return queryOptions({
    queryKey: ['measurement', id, 'annotation'],
    queryFn: async ({ signal }) =>
      callEndpoint((await late.measurement()).showAnnotation, { params: { id }, signal }),
    staleTime: 0,
  });
}

export function recentQuery(kind: KindName, limit: number, state: MeasurementState | '' = '') {
  return queryOptions({
    queryKey: ['measurements', 'recent', kind, limit, state],
    queryFn: ({ signal }) => listed({ kind, limit: String(limit), state }, signal),
    staleTime: 0,
  });
}

export function underWayQuery(state: 'running' | 'queued') {
  return queryOptions({
    queryKey: ['measurements', 'under-way', state],
    queryFn: ({ signal }) => listed({ state, limit: '100' }, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data = [] } }) => (data.length > 0 ? besideMs : 5_000),
  });
}

export function runsTitledQuery(title: string) {
  return queryOptions({
    queryKey: ['measurements', 'titled', title],
    queryFn: ({ signal }) =>
      listed({ kind: 'comparison', state: 'finished', q: title.slice(0, 100) }, signal),
    staleTime: 0,
  });
}

async function listed(query: Record<string, string>, signal: AbortSignal) {
  return (await callEndpoint((await late.measurement()).listMeasurements, { query, signal })).measurements;
}

async function readDoc(page: DocPage, signal: AbortSignal): Promise<string> {
  let response: Response;
  try {
    response = await fetch(`/docs/${page}.md`, { headers: { accept: 'text/markdown' }, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new UnreachableError({ cause: error });
  }
  if (!response.ok) throw new UnreachableError({ cause: new Error(`status ${response.status}`) });
  return response.text();
}

const pollMs = 2_000;

/** Who measures, and what. A server that measures alone and takes no generators is asked once. */
export const runnersQuery = queryOptions({
  queryKey: ['runners'],
  queryFn: async ({ signal }) => callEndpoint((await late.server()).listRunners, { signal }),
  staleTime: 0,
  refetchInterval({ state: { data } }) {
    if (data?.runners === null && data.generators === null) return false;
    return isMeasuring(data) ? besideMs : pollMs;
  },
});

function isMeasuring(list: RunnerList | undefined): boolean {
  return [...(list?.runners ?? []), ...(list?.generators ?? [])].some(({ state }) => state === 'busy');
}

/** Questions that were asked, each once, the newest first. */
export function questionsQuery(q: string, limit: number) {
  return infiniteQueryOptions({
    queryKey: ['measurements', 'questions', q, limit],
    queryFn: async ({ pageParam, signal }) => {
      const query = { cursor: pageParam, limit: String(limit), q };
      return callEndpoint((await late.question()).listQuestions, { query, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}
