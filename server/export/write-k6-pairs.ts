import type { ConnectionPolicy } from '../../shared/load-choice.ts';
import type { Scenario, Step } from '../../shared/scenario.ts';
import type { TlsVersion } from '../../shared/tls-profile.ts';
import type { Arm } from '../../shared/transport.ts';
import { deskVariable, runtime, toDesk, toOutput } from './k6-pair-runtime.ts';
import { bodyOf, headersOf, holds, pathOf, takenBy } from './k6-step.ts';
import { quote } from './placeholders.ts';
import { parsedLines, readsJson } from './taken-values.ts';
import { rowOf } from './write-k6-script.ts';

export type K6Pairs = {
  /** Its secrets filled in. */
  scenario: Scenario;
  /** Of each arm, such as `https://shop.test:8443`. */
  origins: Record<Arm, string>;
  /** Where each `host:port` is, so that no name is looked up while measuring. */
  hosts: Record<string, string>;
  /** Virtual users of all processes. */
  connections: number;
  connectionPolicy: ConnectionPolicy;
  thinkTimeScale: number;
  requestTimeoutMs: number;
  tls: { version: TlsVersion | null; verify: boolean };
  /**
   * Where virtual users ask for orders. Null for where `deskVariable` says, where they post what they have measured as well: the
   * output of a pod has no way here.
   */
  control: string | null;
  /** That one process may send; null without a limit. */
  requestsPerS: number | null;
};

/**
 * A scenario as a script of k6 whose iterations are pairs: one turn on every arm of the order, one arm after another, in an
 * order drawn anew from the seed (Fisher and Yates over Mulberry32, as in lockstep). A virtual user asks the control address
 * what to do, and asks again when the order's time is over, with nothing in flight: that is the edge at which CPU is read.
 * Each transaction is one sample with its arm as a tag, and with pair and phases as metadata, which make no time series; or one
 * line of the next question, where the control address takes them.
 */
export function writeK6Pairs(pairs: K6Pairs): string {
  const { scenario, connections, tls } = pairs;
  const { data, steps } = scenario;
  const options = {
    scenarios: {
      pairs: { executor: 'constant-vus', vus: connections, duration: '24h', gracefulStop: '0s' },
    },
    hosts: pairs.hosts,
    insecureSkipTLSVerify: !tls.verify,
    tlsVersion: { min: goVersion[tls.version ?? 'TLSv1.2'], max: goVersion[tls.version ?? 'TLSv1.3'] },
    systemTags: ['status'],
    maxRedirects: 0,
    ...(pairs.requestsPerS === null ? {} : { rps: pairs.requestsPerS }),
  };
  return [
    "import http from 'k6/http';",
    "import exec from 'k6/execution';",
    "import { Counter, Trend } from 'k6/metrics';",
    "import { sleep } from 'k6';",
    '',
    `export const options = ${JSON.stringify(options)};`,
    `const control = ${pairs.control === null ? `__ENV.${deskVariable}` : quote(pairs.control)};`,
    `const origins = ${JSON.stringify(pairs.origins)};`,
    `const timeout = ${pairs.requestTimeoutMs};`,
    `const rows = ${data === null ? '[{}]' : JSON.stringify(data.rows.map((row) => rowOf(data.columns, row)))};`,
    ...(steps.some(readsJson) ? parsedLines('') : []),
    pairs.control === null ? toDesk : toOutput,
    runtime,
    'function transaction(arm, row, seen) {',
    '  const variables = { ...row };',
    '  const jar = new http.CookieJar();',
    '  let response;',
    ...steps.flatMap((step, index) => linesOf(step, index, pairs)),
    '}',
    '',
  ].join('\n');
}

const goVersion = { 'TLSv1.3': 'tls1.3', 'TLSv1.2': 'tls1.2' } as const;

function linesOf(
  step: Step,
  index: number,
  { scenario, connectionPolicy, thinkTimeScale }: K6Pairs,
): string[] {
  const last = index === scenario.steps.length - 1;
  const closes =
    connectionPolicy === 'connection-per-request' ||
    (connectionPolicy === 'connection-per-transaction' && last);
  const headers = closes ? `{ ...${headersOf(step)}, Connection: 'close' }` : headersOf(step);
  const jar = scenario.cookies ? 'jar' : 'jar: new http.CookieJar()';
  const reads = step.checks.length > 0 || step.extract.length > 0;
  const thinkS = (step.thinkTimeMs * thinkTimeScale) / 1000;
  return [
    ...(thinkS > 0 ? [`  sleep(${thinkS});`] : []),
    `  response = http.request(${quote(step.method)}, origins[arm] + ${pathOf(step)}, ${bodyOf(step)}, { headers: ${headers}, ${jar}, timeout, redirects: 0, responseType: ${reads ? "'text'" : "'binary'"}, tags: { arm, step: '${index}' } });`,
    `  seen.requests.push(timesOf(response));`,
    `  if (isBroken(response)) return failed(seen, ${index}, outcomeOf(response), response.error);`,
    `  if (response.status !== ${step.expectStatus}) return failed(seen, ${index}, 'unexpected_status', 'answered ' + response.status + ' instead of ${step.expectStatus}');`,
    ...step.checks.map(
      (check) =>
        `  if (!((r) => ${holds(check)})(response)) return failed(seen, ${index}, 'check_failed', ${quote(check.type === 'body_contains' ? `the body does not contain ${check.text}` : `${check.path} is not as expected`)});`,
    ),
    ...step.extract.flatMap((extraction) => [
      `  variables[${quote(extraction.variable)}] = ${takenBy(extraction)};`,
      `  if (variables[${quote(extraction.variable)}] === undefined || variables[${quote(extraction.variable)}] === null) return failed(seen, ${index}, 'extraction_failed', ${quote(`the response has no value for ${extraction.variable}`)});`,
      `  if (typeof variables[${quote(extraction.variable)}] !== 'string') variables[${quote(extraction.variable)}] = JSON.stringify(variables[${quote(extraction.variable)}]);`,
    ]),
  ];
}
