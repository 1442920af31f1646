import { queryOptions } from '@tanstack/react-query';
import { capacityEndpoints } from '../../shared/api/capacity-endpoints.ts';
import type { CapacityRequestInput } from '../../shared/kinds/comparison/capacity.ts';
import { callEndpoint } from './call-endpoint.ts';

/** Null while what was filled in is no request. */
export function capacityQuery(request: CapacityRequestInput | null) {
  return queryOptions({
    queryKey: ['capacity', request],
    queryFn: ({ signal }) =>
      callEndpoint(capacityEndpoints.capacity, { ...(request !== null && { body: request }), signal }),
    enabled: request !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
