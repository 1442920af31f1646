import type { Extraction, ResponseCheck, Scenario, Step } from '../../shared/scenario.ts';
import { joinedHeaders } from './joined-headers.ts';
import { jsonPathParts } from './json-path-parts.ts';
import { asJavaScript, encodedAt, type Piece, type Place, placeOfBody, quote } from './placeholders.ts';

/**
 * A scenario without browser actions as a test of @playwright/test, which sends its requests. The origin comes from
 * `BASE_URL`, secrets come from environment variables of their names.
 */
export function writePlaywrightRequests(scenario: Scenario, origin: string): string {
  const body = scenario.steps.flatMap(linesOf);
  const { data, cookies } = scenario;
  const row =
    data === null ? {} : Object.fromEntries(data.columns.map((name, i) => [name, data.rows[0]?.[i]]));
  return [
    "import { expect, request, test } from '@playwright/test';",
    '',
    `test(${quote(scenario.name)}, async () => {`,
    `  const baseURL = process.env.BASE_URL ?? ${quote(origin)};`,
    '  const client = await request.newContext({ baseURL, ignoreHTTPSErrors: true });',
    ...(usesVariables(scenario)
      ? [`  const variables: Record<string, string> = ${JSON.stringify(row)};`]
      : []),
    ...(cookies ? [] : ['  // The scenario keeps no cookies; this client does.']),
    '  let response;',
    ...(scenario.steps.some(readsBody) ? ["  let text = '';"] : []),
    ...body.map((line) => (line === '' ? '' : `  ${line}`)),
    '  await client.dispose();',
    '});',
    '',
  ].join('\n');
}

function usesVariables({ data, steps }: Scenario): boolean {
  return data !== null || steps.some(({ extract }) => extract.length > 0);
}

function readsBody({ checks, extract }: Step): boolean {
  return checks.length > 0 || extract.some(({ from }) => from !== 'header');
}

function linesOf(step: Step): string[] {
  const headers = joinedHeaders(step).map(([name, value]) => `${quote(name)}: ${text(value, 'header')}`);
  const options = [
    `method: ${quote(step.method)}`,
    'maxRedirects: 0',
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(step.body === undefined ? [] : [`data: ${text(step.body, placeOfBody(step))}`]),
  ];
  return [
    '',
    ...(step.thinkTimeMs > 0
      ? [`await new Promise((resolve) => setTimeout(resolve, ${step.thinkTimeMs}));`]
      : []),
    `response = await client.fetch(${text(step.path, 'path')}, { ${options.join(', ')} });`,
    `expect(response.status(), ${quote(step.name)}).toBe(${step.expectStatus});`,
    ...(readsBody(step) ? ['text = await response.text();'] : []),
    ...step.checks.map(checkOf),
    ...step.extract.map(
      (extraction) => `variables[${quote(extraction.variable)}] = ${extracted(extraction)};`,
    ),
  ];
}

function checkOf(check: ResponseCheck): string {
  if (check.type === 'body_contains') return `expect(text).toContain(${quote(check.text)});`;
  const found = jsonValue(check.path);
  return check.equals === null
    ? `expect(${found}).toBeDefined();`
    : `expect(${found}).toBe(${JSON.stringify(check.equals)});`;
}

function extracted(extraction: Extraction): string {
  switch (extraction.from) {
    case 'header': {
      const header = `response.headers()[${quote(extraction.name.toLowerCase())}]`;
      return extraction.pattern === undefined ? `${header} ?? ''` : firstMatch(extraction.pattern, header);
    }
    case 'regex':
      return firstMatch(extraction.pattern, 'text');
    case 'json_path':
      return `String(${jsonValue(extraction.path)})`;
    case 'hidden_input': {
      const name = extraction.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return firstMatch(
        `<input\\b(?=[^>]*\\bname=["']?${name}["'\\s>/])[^>]*\\bvalue=["']?([^"'>]*)`,
        'text',
      );
    }
  }
}

/** The first group, or the whole match when there is none. */
function firstMatch(pattern: string, subject: string): string {
  return `((m) => m?.[1] ?? m?.[0] ?? '')(new RegExp(${quote(pattern)}).exec(${subject} ?? ''))`;
}

function jsonValue(path: string): string {
  const parts = jsonPathParts(path);
  if (parts === null) return `undefined /* ${path.replaceAll('*/', '')} chooses among several values */`;
  return `JSON.parse(text)${parts.map((part) => `?.[${JSON.stringify(part)}]`).join('')}`;
}

function text(value: string, place: Place): string {
  return asJavaScript(value, ({ kind, text }: Piece) =>
    encodedAt(place, kind === 'secret' ? `process.env.${text} ?? ''` : `variables[${quote(text)}]`),
  );
}
