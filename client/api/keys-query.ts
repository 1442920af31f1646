import { queryOptions } from '@tanstack/react-query';
import { keyEndpoints } from '../../shared/api/key-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';

/** The reader's own; everybody's for admins. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => callEndpoint(keyEndpoints.listKeys, { signal }),
  staleTime: 0,
});
