import { useSearchParams } from 'react-router';

/** A part of the view that lives in the address: what is chosen, and how to choose; the usual choice is left out of it. */
export function useAddress<Value extends string>(
  key: string,
  choices: readonly Value[],
  usual: Value,
): [Value, (value: Value) => void] {
  const [query, setQuery] = useSearchParams();
  const chosen = choices.find((choice) => choice === query.get(key)) ?? usual;
  return [
    chosen,
    (value) => {
      const next = new URLSearchParams(query);
      if (value === usual) next.delete(key);
      else next.set(key, value);
      setQuery(next, { replace: true, preventScrollReset: true });
    },
  ];
}
