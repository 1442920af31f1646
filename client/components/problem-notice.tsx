import { LinkedText } from './linked-text.tsx';
import { Notice } from './notice.tsx';

type ShownProblem = {
  title: string;
  detail: string;
  advice: string;
  fields: { field: string; message: string }[];
};

export function ProblemNotice({ problem }: { problem: ShownProblem }) {
  return (
    <Notice tone="bad" title={problem.title} announce="alert">
      <p>
        <LinkedText>{problem.detail}</LinkedText>
      </p>
      {problem.fields.length < 2 ? null : (
        <ul>
          {problem.fields.map(({ field, message }) => (
            <li key={field + message}>
              {field}: {message}
            </li>
          ))}
        </ul>
      )}
      <p>
        <LinkedText>{problem.advice}</LinkedText>
      </p>
    </Notice>
  );
}
