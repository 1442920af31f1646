import { queryOptions } from '@tanstack/react-query';
import type { RunnerList } from '../../shared/measurement/runner.ts';
import { callEndpoint } from './call-endpoint.ts';
import { late } from './late-endpoints.ts';
import { besideMs } from './queries.ts';

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
