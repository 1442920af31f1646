import type { ReactNode } from 'react';
import { ProblemNotice } from './problem-notice.tsx';
import { Waiting } from './waiting.tsx';

type Props<Data> = {
  /** A query or a mutation. */
  of: { isPending: boolean; error: Error | null; data: Data | undefined };
  /** What is going on until it answers. */
  waiting: string;
  children: (data: Data) => ReactNode;
};

/** What the server answered, or that it has not yet, or why it did not. */
export function Answer<Data>({ of: { isPending, error, data }, waiting, children }: Props<Data>) {
  return (
    <>
      {isPending ? <Waiting>{waiting}</Waiting> : null}
      <ProblemNotice error={error} />
      {data === undefined ? null : children(data)}
    </>
  );
}
