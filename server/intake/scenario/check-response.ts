import type { ResponseCheck } from '../../../shared/scenario/scenario.ts';
import { isLargeNumber } from './exact-json.ts';
import { compileJsonPath } from './json-path.ts';
import type { ResponseView } from './response-view.ts';

/** `detail` says what did not hold. It names no value of the response, so that alike errors are counted as one. */
export type Check = { readonly detail: string; holds(response: ResponseView): boolean };

export function compileCheck(check: ResponseCheck): Check {
  if (check.type === 'body_contains') {
    const bytes = Buffer.from(check.text);
    return {
      detail: `the body does not contain “${shorten(check.text)}”`,
      holds: ({ body }) => body.includes(bytes),
    };
  }
  const { path, equals } = check;
  const compiled = compileJsonPath(path);
  if (equals === null) {
    return {
      detail: `the body has nothing at ${path}`,
      holds: ({ json }) => some(compiled.valuesIn(json), () => true),
    };
  }
  return {
    detail: `the body has no ${shorten(JSON.stringify(equals))} at ${path}`,
    holds: ({ json }) => some(compiled.valuesIn(json), (value) => isSame(value, equals)),
  };
}

function isSame(value: unknown, equals: string | number | boolean): boolean {
  return value === equals || (isLargeNumber(value) && Number(value.rawJSON) === equals);
}

function some(values: Iterable<unknown>, suits: (value: unknown) => boolean): boolean {
  for (const value of values) if (suits(value)) return true;
  return false;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
