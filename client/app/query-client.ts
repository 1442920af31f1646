import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from '../../shared/base/problem.ts';

/** A problem is an answer and is not asked for again; only a server that did not answer is tried once more. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        retry: (failures, error) => !(error instanceof ProblemError) && failures < 1,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
