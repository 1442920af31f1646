import { queryOptions } from '@tanstack/react-query';
import { passkeyEndpoints } from '../../shared/api/passkey-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';

/** How the reader signs in. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => callEndpoint(passkeyEndpoints.showAccount, { signal }),
  staleTime: 0,
});
