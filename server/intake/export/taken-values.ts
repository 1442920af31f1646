import { jsonPathParts } from '../../../shared/base/json-path-parts.ts';
import { scriptPattern } from '../../../shared/base/script-pattern.ts';
import type { Extraction, Step } from '../../../shared/scenario/scenario.ts';
import { quote } from './placeholders.ts';

/** Expressions of JavaScript that find what a scenario looks for; undefined when it is not there. `exportProblems` has passed it. */

/** What a response is called in the script: expressions of its text, and of the header of a name. */
export type ResponseWords = { text: string; header(name: string): string };

export function jsonValue(path: string, { text }: ResponseWords): string {
  const parts = jsonPathParts(path) ?? [];
  return `parsed(${text})${parts.map((part) => `?.[${JSON.stringify(part)}]`).join('')}`;
}

/** Whether a step asks `jsonValue` for anything. */
export function readsJson({ checks, extract }: Step): boolean {
  return checks.some(({ type }) => type === 'json_path') || extract.some(({ from }) => from === 'json_path');
}

/** What `jsonValue` calls: a body that is no JSON has no values. @param type of its argument, where the script has types */
export function parsedLines(type: string): string[] {
  return [
    '',
    `function parsed(text${type}) {`,
    '  try {',
    '    return JSON.parse(text);',
    '  } catch {',
    '    return undefined;',
    '  }',
    '}',
  ];
}

/** For every way but the hidden input, which each tool finds in its own way. */
export function takenValue(
  extraction: Exclude<Extraction, { from: 'hidden_input' }>,
  words: ResponseWords,
): string {
  switch (extraction.from) {
    case 'header': {
      const header = words.header(extraction.name);
      return extraction.pattern === undefined ? header : firstMatch(extraction.pattern, header);
    }
    case 'regex':
      return firstMatch(extraction.pattern, words.text);
    case 'json_path':
      return jsonValue(extraction.path, words);
  }
}

/** The first group, or the whole match when there is none. */
export function firstMatch(pattern: string, subject: string): string {
  const { source, flags } = scriptPattern(pattern) ?? { source: pattern, flags: '' };
  const expression = `new RegExp(${[source, ...(flags === '' ? [] : [flags])].map(quote).join(', ')})`;
  return `((m) => m?.[1] ?? m?.[0])(${expression}.exec(${subject} ?? ''))`;
}
