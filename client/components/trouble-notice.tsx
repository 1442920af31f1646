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
      <p>{trouble.detail}</p>
      {trouble.fields.length < 2 ? null : (
        <ul>
          {trouble.fields.map(({ field, message }) => (
            <li key={field + message}>
              {field}: {message}
            </li>
          ))}
        </ul>
      )}
      <p>{trouble.advice}</p>
    </Notice>
  );
}
