import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  auditEndpoints,
  binEndpoints,
  permitEndpoints,
  scheduleEndpoints,
} from '../../shared/api/housekeeping-endpoints.ts';
import {
  documentEndpoints,
  keyEndpoints,
  runEndpoints,
  sessionEndpoints,
  studyEndpoints,
  teamEndpoints,
} from '../../shared/api/session-endpoints.ts';
import type { BillRequestInput } from '../../shared/kinds/comparison/bill.ts';
import type { ResultPair } from '../../shared/kinds/comparison/result-changes.ts';
import type { TrafficRequestInput } from '../../shared/kinds/prices/traffic.ts';
import { type CellResult, cellResultSchema } from '../../shared/kinds/servers/servers-result.ts';
import { isOver } from '../../shared/measurement/measurement.ts';
import { kinds } from '../../shared/results/kinds.ts';
import type { Batch } from '../../shared/results/schedule.ts';
import { isFinal } from '../../shared/results/shown-measurement.ts';
import { adoptDeleteTokens } from './kept-texts.ts';
import { callEndpoint, late } from './late-call.ts';

/** Queries of results, each with its cache key. */

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
export function seriesQuery(id: string, metric: string) {
  return queryOptions({
    queryKey: ['series', id, metric],
    queryFn: ({ signal }) =>
      callEndpoint(runEndpoints.showSeries, { params: { id }, query: { metric }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** The newest price list of each server on the machine of a measurement. */
export function newestListsQuery(id: string) {
  return queryOptions({
    queryKey: ['newest-lists', id],
    queryFn: ({ signal }) => callEndpoint(runEndpoints.listPrices, { params: { id }, signal }),
    staleTime: 0,
    retry: false,
  });
}

/** Grows with each later run of the server of the list. */
export function predictionsQuery(id: string) {
  return queryOptions({
    queryKey: ['predictions', id],
    queryFn: ({ signal }) => callEndpoint(runEndpoints.showPredictions, { params: { id }, signal }),
    staleTime: 0,
    retry: false,
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

/**
 * Cells of a sweep all have the same shape, so the first one shows whether this page knows it. The server has checked each of
 * them, and there may be thousands: parsing them all again takes a fifth of the time in which their page opens.
 */
const cellsSchema = z.custom<CellResult[]>(
  (cells) =>
    Array.isArray(cells) && cells.slice(0, 1).every((cell) => cellResultSchema.safeParse(cell).success),
);

export const showPage = {
  ...documentEndpoints.showPage,
  response: z.union([
    kinds.servers.document.extend({ cells: cellsSchema }),
    documentEndpoints.showPage.response,
  ]),
};

const pollMs = 2_000;

/** A batch: one measurement on several runners, polled until all of them are done. */
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

/** Measurements that are repeated. @param of a measurement: only those that repeat its request */
export function schedulesQuery(of = '') {
  return queryOptions({
    queryKey: ['schedules', of],
    queryFn: async ({ signal }) => {
      const { schedules } = await callEndpoint(scheduleEndpoints.listSchedules, { query: { of }, signal });
      adoptDeleteTokens(schedules.flatMap(({ last }) => last?.measurement ?? []));
      return schedules;
    },
    staleTime: 0,
  });
}

/** @param request null while what was filled in is none */
export function trafficBillQuery(id: string, request: TrafficRequestInput | null) {
  return queryOptions({
    queryKey: ['measurement', id, 'traffic-bill', request],
    queryFn: ({ signal }) =>
      callEndpoint(documentEndpoints.billTraffic, {
        ...{ params: { id }, signal },
        ...(request !== null && { body: request }),
      }),
    enabled: request !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const queryPollMs = 3_000;

/** The claims with today's figures; asked again while one of its measurements waits or runs. */
export const studiesQuery = queryOptions({
  queryKey: ['studies'],
  queryFn: ({ signal }) => callEndpoint(studyEndpoints.showStudies, { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data?.measurements.some(({ going }) => going !== null) === true ? queryPollMs : false,
});

export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam, signal }) =>
    callEndpoint(auditEndpoints.listAudit, { query: { cursor: pageParam ?? undefined }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});

export const binQuery = infiniteQueryOptions({
  queryKey: ['measurements', 'bin'],
  queryFn: ({ pageParam, signal }) =>
    callEndpoint(binEndpoints.listBin, { query: { cursor: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});

/** The reader's own; everybody's for admins. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => callEndpoint(keyEndpoints.listKeys, { signal }),
  staleTime: 0,
});

/** For admins. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => callEndpoint(teamEndpoints.listUsers, { signal }),
  staleTime: 0,
});

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => callEndpoint(sessionEndpoints.showAccount, { signal }),
  staleTime: 0,
});

export const targetsQuery = queryOptions({
  queryKey: ['targets'],
  queryFn: ({ signal }) => callEndpoint(permitEndpoints.listTargets, { signal }),
  staleTime: 0,
});
