import { queryOptions } from '@tanstack/react-query';
import { callEndpoint } from './call-endpoint.ts';

const pollMs = 2_000;

/** Who measures, and what. A server that measures alone is asked once. */
export const runnersQuery = queryOptions({
  queryKey: ['runners'],
  queryFn: async ({ signal }) => {
    const { serverEndpoints } = await import('../../shared/api/server-endpoints.ts');
    return callEndpoint(serverEndpoints.listRunners, { signal });
  },
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.runners === null ? false : pollMs),
});
