import { queryOptions } from '@tanstack/react-query';
import { serverEndpoints } from '../../shared/api/server-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';

const pollMs = 2_000;

/** Who measures, and what. */
export const runnersQuery = queryOptions({
  queryKey: ['runners'],
  queryFn: ({ signal }) => callEndpoint(serverEndpoints.listRunners, { signal }),
  staleTime: 0,
  refetchInterval: pollMs,
});
