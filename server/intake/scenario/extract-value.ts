import type { Extraction } from '../../../shared/scenario/scenario.ts';
import { findInput } from './hidden-input.ts';
import { compileJsonPath } from './json-path.ts';
import { compilePattern } from './pattern.ts';
import type { ResponseView } from './response-view.ts';

/** Null when the response has no such value; `detail` then says what is missing. */
export type Extractor = { readonly detail: string; take(response: ResponseView): string | null };

export function compileExtraction(extraction: Extraction): Extractor {
  const missing = (what: string) => `no value for \${${extraction.variable}}: ${what}`;
  switch (extraction.from) {
    case 'header': {
      const { name, pattern } = extraction;
      if (pattern === undefined) {
        const detail = missing(`there is no header ${name}`);
        return { detail, take: (response) => response.header(name) ?? null };
      }
      const compiled = compilePattern(pattern);
      return {
        detail: missing(`no header ${name} matches ${pattern}`),
        take: (response) => compiled.firstIn(response.header(name) ?? ''),
      };
    }
    case 'regex': {
      const compiled = compilePattern(extraction.pattern);
      return {
        detail: missing(`nothing in the body matches ${extraction.pattern}`),
        take: ({ text }) => compiled.firstIn(text),
      };
    }
    case 'json_path': {
      const compiled = compileJsonPath(extraction.path);
      return {
        detail: missing(`the body has nothing at ${extraction.path}`),
        take: ({ json }) => firstText(compiled.valuesIn(json)),
      };
    }
    case 'hidden_input': {
      const { name } = extraction;
      return {
        detail: missing(`the page has no input named ${name}`),
        take: ({ text }) => findInput(text, name),
      };
    }
  }
}

/** Text as it is, anything else as JSON; null is no value. */
function firstText(values: Iterable<unknown>): string | null {
  for (const value of values) {
    if (value === null) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
  return null;
}
