import type { Extraction, ResponseCheck, Scenario, Step } from '../../shared/scenario.ts';
import { joinedHeaders } from './joined-headers.ts';
import { asJavaScript, encodedAt, type Piece, type Place, placeOfBody, quote } from './placeholders.ts';
import { secretLines } from './secret-lines.ts';
import { jsonValue, parsedLines, type ResponseWords, readsJson, takenValue } from './taken-values.ts';

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
    ...(takes ? foundLines : []),
    ...(steps.some(readsJson) ? parsedLines('') : []),
    '',
    'export default function () {',
    data === null
      ? '  const variables = {};'
      : '  const variables = { ...rows[exec.scenario.iterationInTest % rows.length] };',
    '  let response;',
    ...steps
      .flatMap((step) => linesOf(step, scenario.cookies))
      .map((line) => (line === '' ? '' : `  ${line}`)),
    '}',
    '',
  ].join('\n');
}

function rowOf(columns: string[], row: string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column, index) => [column, row[index] ?? '']));
}

const foundLines = [
  '',
  'function found(name, value) {',
  '  if (value === undefined || value === null) fail("The response has no value for " + name + ".");',
  "  return typeof value === 'string' ? value : JSON.stringify(value);",
  '}',
];

function linesOf(step: Step, cookies: boolean): string[] {
  const headers = joinedHeaders(step).map(([name, value]) => `${quote(name)}: ${text(value, 'header')}`);
  const body = step.body === undefined ? 'null' : text(step.body, placeOfBody(step));
  const options = `{ headers: { ${headers.join(', ')} }, redirects: 0, tags: { name: ${quote(step.name)} }${cookies ? '' : ', jar: new http.CookieJar()'} }`;
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
      (extraction) =>
        `variables[${quote(extraction.variable)}] = found(${quote(extraction.variable)}, ${takenBy(extraction)});`,
    ),
  ];
}

function checkOf(name: string, check: ResponseCheck): string {
  if (check.type === 'body_contains') {
    return `${quote(`${name}: body contains ${check.text}`)}: (r) => String(r.body).includes(${quote(check.text)})`;
  }
  const found = jsonValue(check.path, { ...response, text: 'r.body' });
  const holds =
    check.equals === null ? `${found} !== undefined` : `${found} === ${JSON.stringify(check.equals)}`;
  return `${quote(`${name}: ${check.path}`)}: (r) => ${holds}`;
}

function takenBy(extraction: Extraction): string {
  if (extraction.from !== 'hidden_input') return takenValue(extraction, response);
  const name = extraction.name.replace(/["\\]/g, '\\$&');
  return `response.html(${quote(`input[name="${name}"]`)}).first().attr('value')`;
}

const response: ResponseWords = {
  text: 'response.body',
  header: (name) => `response.headers[${quote(canonical(name))}]`,
};

/** k6 writes the names of headers as Go does: X-Csrf-Token. */
function canonical(name: string): string {
  return name.toLowerCase().replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase());
}

function text(value: string, place: Place): string {
  return asJavaScript(value, ({ kind, text }: Piece) =>
    encodedAt(place, kind === 'secret' ? `secrets[${quote(text)}]` : `variables[${quote(text)}]`),
  );
}
