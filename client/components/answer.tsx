import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';
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
      <ErrorNotice error={error} />
      {data === undefined ? null : children(data)}
    </>
  );
}
