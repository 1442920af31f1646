import type { Extraction, ResponseCheck, Scenario, Step } from '../../shared/scenario.ts';
import { joinedHeaders } from './joined-headers.ts';
import { jsonPathParts } from './json-path-parts.ts';
import { asJavaScript, encodedAt, type Piece, type Place, placeOfBody, quote } from './placeholders.ts';

/**
 * A scenario as a script of k6: one iteration is one transaction. Redirects are steps here, so k6 follows none; its
 * jar keeps the cookies of an iteration. Secrets come from `k6 run -e NAME=…`, the origin from `-e BASE_URL=…`.
 */
export function writeK6Script(scenario: Scenario, origin: string): string {
  const { data } = scenario;
  return [
    "import http from 'k6/http';",
    ...(data === null ? [] : ["import exec from 'k6/execution';"]),
    "import { check, sleep } from 'k6';",
    '',
    `const base = __ENV.BASE_URL || ${quote(origin)};`,
    ...(data === null
      ? []
      : [`const rows = ${JSON.stringify(data.rows.map((row) => rowOf(data.columns, row)))};`]),
    '',
    'export default function () {',
    data === null
      ? '  const variables = {};'
      : '  const variables = { ...rows[exec.scenario.iterationInTest % rows.length] };',
    '  let response;',
    ...scenario.steps.flatMap(linesOf).map((line) => (line === '' ? '' : `  ${line}`)),
    '}',
    '',
  ].join('\n');
}

function rowOf(columns: string[], row: string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column, index) => [column, row[index] ?? '']));
}

function linesOf(step: Step): string[] {
  const headers = joinedHeaders(step).map(([name, value]) => `${quote(name)}: ${text(value, 'header')}`);
  const body = step.body === undefined ? 'null' : text(step.body, placeOfBody(step));
  const options = `{ headers: { ${headers.join(', ')} }, redirects: 0, tags: { name: ${quote(step.name)} } }`;
  const checks = [
    `${quote(`${step.name}: status ${step.expectStatus}`)}: (r) => r.status === ${step.expectStatus}`,
    ...step.checks.map((check) => checkOf(step.name, check)),
  ];
  return [
    '',
    ...(step.thinkTimeMs > 0 ? [`sleep(${step.thinkTimeMs / 1000});`] : []),
    `response = http.request(${quote(step.method)}, base + ${text(step.path, 'path')}, ${body}, ${options});`,
    `check(response, { ${checks.join(', ')} });`,
    ...step.extract.map(
      (extraction) => `variables[${quote(extraction.variable)}] = ${extractedValue(extraction)};`,
    ),
  ];
}

function checkOf(name: string, check: ResponseCheck): string {
  if (check.type === 'body_contains') {
    return `${quote(`${name}: body contains ${check.text}`)}: (r) => String(r.body).includes(${quote(check.text)})`;
  }
  const found = jsonValue('r', check.path);
  const holds =
    check.equals === null ? `${found} !== undefined` : `${found} === ${JSON.stringify(check.equals)}`;
  return `${quote(`${name}: ${check.path}`)}: (r) => ${holds}`;
}

function extractedValue(extraction: Extraction): string {
  switch (extraction.from) {
    case 'header': {
      const header = `response.headers[${quote(canonical(extraction.name))}]`;
      return extraction.pattern === undefined ? header : matchOf(extraction.pattern, header);
    }
    case 'regex':
      return matchOf(extraction.pattern, 'response.body');
    case 'json_path':
      return jsonValue('response', extraction.path);
    case 'hidden_input': {
      const name = extraction.name.replace(/["\\]/g, '\\$&');
      return `response.html(${quote(`input[name="${name}"]`)}).first().attr('value')`;
    }
  }
}

/** The first group, or the whole match when there is none. */
function matchOf(pattern: string, subject: string): string {
  return `((m) => (m === null ? undefined : (m[1] ?? m[0])))(new RegExp(${quote(pattern)}).exec(String(${subject})))`;
}

/** k6 reads paths of gjson: names and indices with dots between them. */
function jsonValue(response: string, path: string): string {
  const parts = jsonPathParts(path);
  if (parts === null) return `undefined /* ${path.replaceAll('*/', '')} chooses among several values */`;
  const selector = parts.map((part) => `${part}`.replace(/[.*?|#@\\!{}[\]()=<>%]/g, '\\$&')).join('.');
  return parts.length === 0 ? `${response}.json()` : `${response}.json(${quote(selector)})`;
}

/** k6 writes the names of headers as Go does: X-Csrf-Token. */
function canonical(name: string): string {
  return name.toLowerCase().replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase());
}

function text(value: string, place: Place): string {
  return asJavaScript(value, ({ kind, text }: Piece) =>
    encodedAt(place, kind === 'secret' ? `__ENV[${quote(text)}]` : `variables[${quote(text)}]`),
  );
}
