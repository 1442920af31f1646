import type { Step } from './scenario.ts';

type Headers = Step['headers'];
export type HeaderLine = [name: string, value: string];

/** The headers of a step line by line, as they are sent. */
export function headerLines(headers: Headers): HeaderLine[] {
  return Object.entries(headers).flatMap(([name, value]): HeaderLine[] =>
    typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each]),
  );
}

/** Lines as the headers of a step: those of one name become one header with several values. */
export function headersOfLines(lines: readonly HeaderLine[]): Headers {
  const values = new Map<string, string[]>();
  for (const [name, value] of lines) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(
    [...values].map(([name, [first = '', ...rest]]) => [name, rest.length === 0 ? first : [first, ...rest]]),
  );
}

export function headerValues(headers: Headers): string[] {
  return headerLines(headers).map(([, value]) => value);
}
