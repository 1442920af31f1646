import { infiniteQueryOptions } from '@tanstack/react-query';
import { auditEndpoints } from '../../shared/api/audit-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';

export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam, signal }) =>
    callEndpoint(auditEndpoints.listAudit, { query: { cursor: pageParam ?? undefined }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});
