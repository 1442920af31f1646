import { jsonPathParts, scriptPattern } from '../../../shared/scenario/export-problems.ts';
import { type HeaderLine, headerLines } from '../../../shared/scenario/header-lines.ts';
import type { Exchange } from '../../../shared/scenario/import.ts';
import type { Extraction, Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { contentTypeOf, fillOrigin } from '../scenario/compiled-script.ts';
import { secretsOf } from '../scenario/secrets.ts';
import { kindOfBody, parseTemplate, type TemplatePart } from '../scenario/template.ts';
import { withSentTexts } from '../traffic/redaction.ts';

const secret = /\$\{secret:([A-Za-z_]\w*)\}/;

/** Pieces of the text of a browser's action, which may contain secrets but no other placeholders. */
export function piecesOfAction(text: string): TemplatePart[] {
  // Pieces between matches are text, and pieces from the group are names.
  return text
    .split(secret)
    .map((piece, index): TemplatePart => ({ type: index % 2 === 0 ? 'text' : 'secret', text: piece }))
    .filter((piece) => piece.type === 'secret' || piece.text !== '');
}

/** Text of a scenario as it is sent: escapes are resolved, and placeholders stay. */
function asSent(text: string): string {
  return parseTemplate(text).map(written).join('');
}

function written({ type, text }: TemplatePart): string {
  if (type === 'text') return text;
  return type === 'secret' ? `\${secret:${text}}` : `\${${text}}`;
}

/** Place of a value in a request, which decides how it is encoded: in JavaScript in the same way as by the load generator. */
export type Place = 'path' | 'header' | 'form' | 'json' | 'text';

export function placeOfBody({ headers, body = '' }: Pick<Step, 'headers' | 'body'>): Place {
  return kindOfBody(contentTypeOf({ headers }), body);
}

function encodedAt(place: Place, expression: string): string {
  if (place === 'path' || place === 'form') return `encodeURIComponent(${expression})`;
  return place === 'json' ? `JSON.stringify(String(${expression})).slice(1, -1)` : expression;
}

/** Writes an expression of JavaScript: a string, or a template whose names `refer` writes. */
export function asJavaScript(
  pieces: readonly TemplatePart[],
  refer: (piece: TemplatePart) => string,
): string {
  if (pieces.every(({ type }) => type === 'text')) return quote(pieces.map(({ text }) => text).join(''));
  const inner = pieces.map((piece) =>
    piece.type === 'text' ? escapeTemplate(piece.text) : `\${${refer(piece)}}`,
  );
  return `\`${inner.join('')}\``;
}

/** A string literal in single quotes; a line end of Unicode would end one in older engines. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

function escapeTemplate(text: string): string {
  return text.replace(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r');
}

/** An exchange as in an entry of a HAR, and whether it contains placeholders, which are filled in before it is sent. */
export function entryTexts(exchange: Exchange): { exchange: Exchange; hasNames: boolean } {
  const { path, requestHeaders, requestBody } = exchange;
  const texts = [path, requestBody ?? '', ...requestHeaders.map(([, value]) => value)];
  return {
    exchange: withSentTexts(exchange, asSent),
    hasNames: texts.flatMap(parseTemplate).some(({ type }) => type !== 'text'),
  };
}

/** Requests of a scenario in the form of a recording: with its think times between them, and without bodies of answers. */
export function exchangesOf(scenario: Scenario, origin: string): Exchange[] {
  let startedAtMs = 0;
  return fillOrigin(scenario, origin)
    .steps.filter(({ enabled }) => enabled)
    .map((step, index) => {
      startedAtMs += step.thinkTimeMs;
      return exchangeOf(step, index + 1, startedAtMs, origin);
    });
}

function exchangeOf(step: Step, number: number, startedAtMs: number, origin: string): Exchange {
  const { contentType = '', location = null } = step.recorded ?? {};
  return {
    number,
    startedAtMs,
    durationMs: 0,
    method: step.method,
    origin,
    path: step.path,
    requestHeaders: headerLines(step.headers),
    requestBody: step.body ?? null,
    status: step.expectStatus,
    responseHeaders: [
      ...(contentType === '' ? [] : [['content-type', contentType] satisfies [string, string]]),
      ...(location === null ? [] : [['location', location] satisfies [string, string]]),
    ],
    responseBody: null,
    resourceType: contentType.startsWith('text/html') ? 'document' : 'other',
  };
}

/** Expressions of JavaScript that find what a scenario looks for; undefined when it is not there. `exportProblems` has passed it. */

/** Expressions for a response in the script: its text, and the header of a name. */
export type ResponseWords = { text: string; header(name: string): string };

export function jsonValue(path: string, { text }: ResponseWords): string {
  const parts = jsonPathParts(path) ?? [];
  return `parsed(${text})${parts.map((part) => `?.[${JSON.stringify(part)}]`).join('')}`;
}

/** Whether a step asks `jsonValue` for anything. */
export function readsJson({ checks, extract }: Step): boolean {
  return checks.some(({ type }) => type === 'json_path') || extract.some(({ from }) => from === 'json_path');
}

/**
 * The function that `jsonValue` calls: a body that is no JSON has no values.
 * @param type of its argument, where the script has types
 */
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

/** Writes a text for a script in JavaScript, with names from its records `variables` and `secrets`. */
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
  /** Type of the record of secrets, if the script has types. */
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
