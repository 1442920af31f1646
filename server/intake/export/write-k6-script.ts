import type { ResponseCheck, Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { sendsOrigin } from '../scenario/own-origin.ts';
import { bodyOf, headersOf, holds, pathOf, takenBy } from './k6-step.ts';
import { quote } from './placeholders.ts';
import { foundLines, takenLines } from './script-texts.ts';
import { secretLines } from './secret-lines.ts';
import { parsedLines, readsJson } from './taken-values.ts';

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
      .flatMap((step) => linesOf(step, scenario.cookies))
      .map((line) => (line === '' ? '' : `  ${line}`)),
    '}',
    '',
  ].join('\n');
}

function rowOf(columns: string[], row: string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column, index) => [column, row[index] ?? '']));
}

function linesOf(step: Step, cookies: boolean): string[] {
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
