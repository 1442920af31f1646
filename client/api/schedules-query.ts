import { queryOptions } from '@tanstack/react-query';
import { scheduleEndpoints } from '../../shared/api/schedule-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';
import { adoptDeleteTokens } from './delete-tokens.ts';

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
