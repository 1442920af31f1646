import { infiniteQueryOptions } from '@tanstack/react-query';
import { binEndpoints } from '../../shared/api/bin-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';

export const binQuery = infiniteQueryOptions({
  queryKey: ['measurements', 'bin'],
  queryFn: ({ pageParam, signal }) =>
    callEndpoint(binEndpoints.listBin, { query: { cursor: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 0,
});
