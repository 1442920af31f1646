import { jsonPathParts, scriptPattern } from '../../../shared/base/script-pattern.ts';
import type { HeaderLine } from '../../../shared/scenario/header-lines.ts';
import type { Extraction, Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { parseTemplate } from '../scenario/pattern.ts';
import { secretsOf } from '../scenario/secrets.ts';
import { asJavaScript, encodedAt, type Place, quote } from './placeholders.ts';

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

/** What a script in JavaScript sends, over its records `variables` and `secrets`. */
export function textInScript(value: string, place: Place): string {
  return asJavaScript(parseTemplate(value), ({ type, text }) =>
    encodedAt(place, type === 'secret' ? `secrets[${quote(text)}]` : `variables[${quote(text)}]`),
  );
}

/**
 * The headers of a step for a client that sends each name once: several values as one, which means the same. Source: RFC 9110,
 * 5.3, and RFC 6265, 5.4 for cookies.
 */
export function joinedHeaders({ headers }: Step): HeaderLine[] {
  return Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.join(name.toLowerCase() === 'cookie' ? '; ' : ', '),
  ]);
}

export function headerEntries(step: Step): string[] {
  return joinedHeaders(step).map(([name, value]) => `${quote(name)}: ${textInScript(value, 'header')}`);
}

/** A function of the script that turns a value of a response into text. If there is no value, `fail` ends the script. */
export function foundLines(given: string, type: string, fail: (text: string) => string): string[] {
  return [
    '',
    `function found(${given})${type} {`,
    `  if (value === undefined || value === null) ${fail('"The response has no value for " + name + "."')};`,
    "  return typeof value === 'string' ? value : JSON.stringify(value);",
    '}',
  ];
}

/** Lines that store what a step takes from its response. */
export function takenLines({ extract }: Step, takenBy: (extraction: Extraction) => string): string[] {
  return extract.map((extraction) => {
    const name = quote(extraction.variable);
    return `variables[${name}] = found(${name}, ${takenBy(extraction)});`;
  });
}

type Reading = {
  /** The record of the environment in the script. */
  environment: string;
  /** Of the record of secrets, where the script has types. */
  type: string;
  /** A sentence that says how a value is given. */
  how: string;
};

/** Names of the secrets that the steps send. */
export function sentSecrets(scenario: Scenario): string[] {
  return secretsOf({ ...scenario, pages: [], sensitivePaths: [] });
}

/** Reads all secrets of a scenario, and ends the script by the name of one that has no value. None without secrets. */
export function secretLines(scenario: Scenario, { environment, type, how }: Reading): string[] {
  const names = sentSecrets(scenario);
  if (names.length === 0) return [];
  return [
    `const secrets${type} = {};`,
    `for (const name of [${names.map(quote).join(', ')}]) {`,
    `  if (!${environment}[name]) throw new Error(\`The secret \${name} has no value. ${how}\`);`,
    `  secrets[name] = ${environment}[name];`,
    '}',
  ];
}
