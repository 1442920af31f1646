import type { ReactNode } from 'react';
import { problemOf } from '../api/late-call.ts';
import { Waiting } from './action-button.tsx';
import { Notice, OriginalWords } from './card.tsx';
import { LinkedText } from './form-fields.tsx';

type Props<Data> = {
  /** A query or a mutation. */
  of: { isPending: boolean; error: Error | null; data: Data | undefined };
  /** Activity shown until the answer arrives. */
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

/** Title, detail, and advice of an error. Without an error it renders nothing. */
export function ProblemNotice({ error }: { error: unknown }) {
  if (error === null) return null;
  const { title, detail, advice, fields, details } = problemOf(error);
  return (
    <Notice tone="bad" title={title} announce="alert">
      <p>
        <LinkedText>{detail}</LinkedText>
      </p>
      {fields.length < 2 ? null : (
        <ul>
          {fields.map(({ field, message }) => (
            <li key={field + message}>
              {field}: {message}
            </li>
          ))}
        </ul>
      )}
      <p>
        <LinkedText>{advice}</LinkedText>
      </p>
      <OriginalWords>{details}</OriginalWords>
    </Notice>
  );
}
