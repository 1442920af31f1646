import { infiniteQueryOptions } from '@tanstack/react-query';
import { callEndpoint } from './call-endpoint.ts';
import { late } from './late-endpoints.ts';

/** What was asked, each question once; the one that was asked last comes first. */
export function questionsQuery(q: string, limit: number) {
  return infiniteQueryOptions({
    queryKey: ['measurements', 'questions', q, limit],
    queryFn: async ({ pageParam, signal }) => {
      const query = { cursor: pageParam, limit: String(limit), q };
      return callEndpoint((await late.question()).listQuestions, { query, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}
