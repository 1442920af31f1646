import { queryOptions } from '@tanstack/react-query';
import { sessionEndpoints } from '../../shared/api/session-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => callEndpoint(sessionEndpoints.showAccount, { signal }),
  staleTime: 0,
});
