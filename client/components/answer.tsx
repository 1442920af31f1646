import type { ReactNode } from 'react';
import { Waiting } from './action-button.tsx';
import { ProblemNotice } from './delete-button.tsx';

type Props<Data> = {
  /** A query or a mutation. */
  of: { isPending: boolean; error: Error | null; data: Data | undefined };
  /** What is going on until it answers. */
  waiting: string;
  children: (data: Data) => ReactNode;
};

/** Shows what the server answered; until then a line that says it is awaited, or the error. */
export function Answer<Data>({ of: { isPending, error, data }, waiting, children }: Props<Data>) {
  return (
    <>
      {isPending ? <Waiting>{waiting}</Waiting> : null}
      <ProblemNotice error={error} />
      {data === undefined ? null : children(data)}
    </>
  );
}
