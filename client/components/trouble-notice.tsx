import { LinkedText } from './linked-text.tsx';
import { Notice } from './notice.tsx';

type Trouble = {
  title: string;
  detail: string;
  advice: string;
  fields: { field: string; message: string }[];
};

export function TroubleNotice({ trouble }: { trouble: Trouble }) {
  return (
    <Notice tone="bad" title={trouble.title} announce="alert">
      <p>
        <LinkedText>{trouble.detail}</LinkedText>
      </p>
      {trouble.fields.length < 2 ? null : (
        <ul>
          {trouble.fields.map(({ field, message }) => (
            <li key={field + message}>
              {field}: {message}
            </li>
          ))}
        </ul>
      )}
      <p>
        <LinkedText>{trouble.advice}</LinkedText>
      </p>
    </Notice>
  );
}
