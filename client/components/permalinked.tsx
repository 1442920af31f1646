import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { ProblemError, problem } from '../../shared/base/problem.ts';
import type { ProblemCode } from '../../shared/base/problem-catalogue.ts';
import { permalinkIdSchema } from '../../shared/base/units.ts';
import { Waiting } from './action-button.tsx';

type Props<Data, Key extends QueryKey> = {
  query: (id: string) => UseQueryOptions<Data, Error, Data, Key>;
  /** Thrown when the ID in the address is malformed. */
  code: ProblemCode;
  waiting: string;
  children: (data: Data) => ReactNode;
};

/** Content at the permalink of a page. A problem with loading it replaces the page. */
export function Permalinked<Data, Key extends QueryKey>({
  query,
  code,
  waiting,
  children,
}: Props<Data, Key>) {
  const { id = '' } = useParams();
  if (!permalinkIdSchema.safeParse(id).success) {
    throw problem(code, 'The ID in the address is not 22 letters and digits.');
  }
  const { data } = useQuery({
    ...query(id),
    throwOnError: (error, { state }) => error instanceof ProblemError || state.data === undefined,
  });
  return data === undefined ? <Waiting>{waiting}</Waiting> : children(data);
}
