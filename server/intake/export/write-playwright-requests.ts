import type { Extraction, ResponseCheck, Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { sendsOrigin } from '../scenario/own-origin.ts';
import { placeOfBody, quote } from './placeholders.ts';
import { foundLines, headerEntries, takenLines, textInScript as text } from './script-texts.ts';
import { secretLines } from './secret-lines.ts';
import {
  firstMatch,
  jsonValue,
  parsedLines,
  type ResponseWords,
  readsJson,
  takenValue,
} from './taken-values.ts';

/**
 * A scenario without browser actions as a test of @playwright/test, which sends its requests. The origin comes from
 * `BASE_URL`, secrets come from environment variables of their names. What is missing fails the test by its name.
 */
export function writePlaywrightRequests(scenario: Scenario, origin: string): string {
  const { data, cookies, steps } = scenario;
  const row = Object.fromEntries(data?.columns.map((name, index) => [name, data.rows[0]?.[index]]) ?? []);
  const body = steps.flatMap((step, index) => [
    '',
    ...(index === 0 || cookies
      ? []
      : ['await client.dispose();', 'client = await request.newContext(options);']),
    ...linesOf(step),
  ]);
  return [
    "import { expect, request, test } from '@playwright/test';",
    ...(takes(scenario)
      ? foundLines('name: string, value: unknown', ': string', (text) => `throw new Error(${text})`)
      : []),
    ...(steps.some(readsJson) ? parsedLines(': string') : []),
    '',
    `test(${quote(scenario.name)}, async () => {`,
    ...[
      ...secretLines(scenario, {
        ...{ environment: 'process.env', type: ': Record<string, string>' },
        how: 'Set the environment variable of this name.',
      }),
      // A path alone, such as one that a value makes begin with two slashes, could lead to another host.
      `const base = new URL(process.env.BASE_URL || ${quote(origin)}).origin;`,
      'const options = { ignoreHTTPSErrors: true };',
      ...(cookies ? [] : ['// The scenario keeps no cookies: each request has a client of its own.']),
      `${cookies ? 'const' : 'let'} client = await request.newContext(options);`,
      ...((data?.rows.length ?? 0) > 1 ? [`// The first of ${data?.rows.length} rows.`] : []),
      ...(data !== null || takes(scenario) || sendsOrigin(scenario)
        ? [`const variables: Record<string, string> = ${JSON.stringify(row)};`]
        : []),
      ...(sendsOrigin(scenario) ? ["variables['origin'] = base;"] : []),
      'let response;',
      ...(steps.some(readsBody) ? ["let text = '';"] : []),
      ...body,
      'await client.dispose();',
    ].map((line) => (line === '' ? '' : `  ${line}`)),
    '});',
    '',
  ].join('\n');
}

function takes({ steps }: Scenario): boolean {
  return steps.some(({ extract }) => extract.length > 0);
}

function readsBody({ checks, extract }: Step): boolean {
  return checks.length > 0 || extract.some(({ from }) => from !== 'header');
}

function linesOf(step: Step): string[] {
  const headers = headerEntries(step);
  const options = [
    `method: ${quote(step.method)}`,
    'maxRedirects: 0',
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(step.body === undefined ? [] : [`data: ${text(step.body, placeOfBody(step))}`]),
  ];
  return [
    ...(step.thinkTimeMs > 0
      ? [`await new Promise((resolve) => setTimeout(resolve, ${step.thinkTimeMs}));`]
      : []),
    `response = await client.fetch(base + ${text(step.path, 'path')}, { ${options.join(', ')} });`,
    `expect(response.status(), ${quote(step.name)}).toBe(${step.expectStatus});`,
    ...(readsBody(step) ? ['text = await response.text();'] : []),
    ...step.checks.map(checkOf),
    ...takenLines(step, takenBy),
  ];
}

function checkOf(check: ResponseCheck): string {
  if (check.type === 'body_contains') return `expect(text).toContain(${quote(check.text)});`;
  const found = jsonValue(check.path, response);
  return check.equals === null
    ? `expect(${found}).toBeDefined();`
    : `expect(${found}).toBe(${JSON.stringify(check.equals)});`;
}

function takenBy(extraction: Extraction): string {
  if (extraction.from !== 'hidden_input') return takenValue(extraction, response);
  const name = extraction.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = `<input\\b(?=[^>]*\\bname=["']?${name}["'\\s>/])[^>]*\\bvalue=["']?([^"'>]*)`;
  return firstMatch(pattern, response.text);
}

const response: ResponseWords = {
  text: 'text',
  header: (name) => `response.headers()[${quote(name.toLowerCase())}]`,
};
