import { queryOptions } from '@tanstack/react-query';
import { studyEndpoints } from '../../shared/api/study-endpoints.ts';
import { callEndpoint } from './call-endpoint.ts';

const pollMs = 3_000;

/** The claims with today's figures; asked again while one of its measurements waits or runs. */
export const studiesQuery = queryOptions({
  queryKey: ['studies'],
  queryFn: ({ signal }) => callEndpoint(studyEndpoints.showStudies, { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data?.measurements.some(({ going }) => going !== null) === true ? pollMs : false,
});
