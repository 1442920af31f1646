import { queryOptions } from '@tanstack/react-query';
import { callEndpoint } from './call-endpoint.ts';
import { late } from './late-endpoints.ts';

const pollMs = 2_000;

/** Who measures, and what. A server that measures alone and takes no generators is asked once. */
export const runnersQuery = queryOptions({
  queryKey: ['runners'],
  queryFn: async ({ signal }) => callEndpoint((await late.server()).listRunners, { signal }),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) =>
    data?.runners === null && data.generators === null ? false : pollMs,
});
