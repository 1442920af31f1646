import { problemOf } from '../api/problem-of.ts';
import { LinkedText } from './linked-text.tsx';
import { Notice } from './notice.tsx';

/** What went wrong, and what to try. Without an error it renders nothing. */
export function ProblemNotice({ error }: { error: unknown }) {
  if (error === null) return null;
  const { title, detail, advice, fields } = problemOf(error);
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
    </Notice>
  );
}
