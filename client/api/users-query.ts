import { queryOptions } from '@tanstack/react-query';
import { teamEndpoints } from '../../shared/api/team-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';

/** For admins. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => callEndpoint(teamEndpoints.listUsers, { signal }),
  staleTime: 0,
});
