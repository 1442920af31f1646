import type { Extraction, ResponseCheck, Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { sendsOrigin } from '../scenario/compiled-script.ts';
import {
  firstMatch,
  foundLines,
  headerEntries,
  jsonValue,
  parsedLines,
  placeOfBody,
  quote,
  type ResponseWords,
  readsJson,
  secretLines,
  takenLines,
  takenValue,
  textInScript as text,
} from './written-values.ts';

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
    ...takenLines(step, requestsTakenBy),
  ];
}

function checkOf(check: ResponseCheck): string {
  if (check.type === 'body_contains') return `expect(text).toContain(${quote(check.text)});`;
  const found = jsonValue(check.path, response);
  return check.equals === null
    ? `expect(${found}).toBeDefined();`
    : `expect(${found}).toBe(${JSON.stringify(check.equals)});`;
}

function requestsTakenBy(extraction: Extraction): string {
  if (extraction.from !== 'hidden_input') return takenValue(extraction, response);
  const name = extraction.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = `<input\\b(?=[^>]*\\bname=["']?${name}["'\\s>/])[^>]*\\bvalue=["']?([^"'>]*)`;
  return firstMatch(pattern, response.text);
}

const response: ResponseWords = {
  text: 'text',
  header: (name) => `response.headers()[${quote(name.toLowerCase())}]`,
};

/**
 * A scenario as a script of k6: one iteration is one transaction. Redirects are steps here, so k6 follows none; its
 * jar keeps the cookies of an iteration. Secrets come from `k6 run -e NAME=…`, the origin from `-e BASE_URL=…`. A secret that is
 * missing stops the script, a value that a response lacks the iteration.
 */
export function writeK6Script(scenario: Scenario, origin: string): string {
  const { data, steps } = scenario;
  const takes = steps.some(({ extract }) => extract.length > 0);
  return [
    "import http from 'k6/http';",
    ...(data === null ? [] : ["import exec from 'k6/execution';"]),
    `import { ${takes ? 'check, fail, sleep' : 'check, sleep'} } from 'k6';`,
    '',
    `const base = __ENV.BASE_URL || ${quote(origin)};`,
    ...(data === null
      ? []
      : [`const rows = ${JSON.stringify(data.rows.map((row) => rowOf(data.columns, row)))};`]),
    ...secretLines(scenario, { environment: '__ENV', type: '', how: 'Run k6 with -e and its name.' }),
    ...(takes ? foundLines('name, value', '', (text) => `fail(${text})`) : []),
    ...(steps.some(readsJson) ? parsedLines('') : []),
    '',
    'export default function () {',
    `  const variables = {${[
      ...(sendsOrigin(scenario) ? [' origin: base'] : []),
      ...(data === null ? [] : [' ...rows[exec.scenario.iterationInTest % rows.length]']),
    ].join(',')}${sendsOrigin(scenario) || data !== null ? ' ' : ''}};`,
    '  let response;',
    ...steps
      .flatMap((step) => linesOfScript(step, scenario.cookies))
      .map((line) => (line === '' ? '' : `  ${line}`)),
    '}',
    '',
  ].join('\n');
}

function rowOf(columns: string[], row: string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column, index) => [column, row[index] ?? '']));
}

function linesOfScript(step: Step, cookies: boolean): string[] {
  const options = `{ headers: ${headersOf(step)}, redirects: 0, tags: { name: ${quote(step.name)} }${cookies ? '' : ', jar: new http.CookieJar()'} }`;
  const checks = [
    `${quote(`${step.name}: status ${step.expectStatus}`)}: (r) => r.status === ${step.expectStatus}`,
    ...step.checks.map((check) => `${quote(nameOf(step, check))}: (r) => ${holds(check)}`),
  ];
  return [
    '',
    ...(step.thinkTimeMs > 0 ? [`sleep(${step.thinkTimeMs / 1000});`] : []),
    `response = http.request(${quote(step.method)}, base + ${pathOf(step)}, ${bodyOf(step)}, ${options});`,
    `check(response, { ${checks.join(', ')} });`,
    ...takenLines(step, takenBy),
  ];
}

function nameOf({ name }: Step, check: ResponseCheck): string {
  return `${name}: ${check.type === 'body_contains' ? `body contains ${check.text}` : check.path}`;
}

/** A step's parts in the JavaScript of k6, over `variables`, `secrets` and `response`. */

function headersOf(step: Step): string {
  return `{ ${headerEntries(step).join(', ')} }`;
}

function pathOf(step: Step): string {
  return text(step.path, 'path');
}

function bodyOf(step: Step): string {
  return step.body === undefined ? 'null' : text(step.body, placeOfBody(step));
}

/** An expression over the response `r`. */
function holds(check: ResponseCheck): string {
  if (check.type === 'body_contains') return `String(r.body).includes(${quote(check.text)})`;
  const found = jsonValue(check.path, { ...scriptResponse, text: 'r.body' });
  return check.equals === null ? `${found} !== undefined` : `${found} === ${JSON.stringify(check.equals)}`;
}

function takenBy(extraction: Extraction): string {
  if (extraction.from !== 'hidden_input') return takenValue(extraction, scriptResponse);
  const name = extraction.name.replace(/["\\]/g, '\\$&');
  return `response.html(${quote(`input[name="${name}"]`)}).first().attr('value')`;
}

const scriptResponse: ResponseWords = {
  text: 'response.body',
  header: (name) => `response.headers[${quote(canonical(name))}]`,
};

/** k6 writes the names of headers as Go does: X-Csrf-Token. */
function canonical(name: string): string {
  return name.toLowerCase().replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase());
}
