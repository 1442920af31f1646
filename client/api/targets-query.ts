import { queryOptions } from '@tanstack/react-query';
import { permitEndpoints } from '../../shared/api/permit-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';

export const targetsQuery = queryOptions({
  queryKey: ['targets'],
  queryFn: ({ signal }) => callEndpoint(permitEndpoints.listTargets, { signal }),
  staleTime: 0,
});
