import type { ConnectionPolicy } from '../../shared/load-choice.ts';
import type { Scenario, Step } from '../../shared/scenario.ts';
import type { Arm } from '../../shared/transport.ts';
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
  tls: { version: 'TLSv1.3' | 'TLSv1.2'; verify: boolean };
  /** Where virtual users ask for orders. */
  control: string;
};

/** The metrics that carry what is read from k6's output. */
export const transactionMetric = 'tls_toll_transaction';
export const doneMetric = 'tls_toll_done';

/**
 * A scenario as a script of k6 whose iterations are pairs: one turn on every arm of the order, one arm after another, in an
 * order drawn anew from the seed (Fisher and Yates over Mulberry32, as in lockstep). A virtual user asks the control address
 * what to do, and asks again when the order's time is over, with nothing in flight: that is the edge at which CPU is read.
 * Each transaction is one sample with its arm as a tag, and with pair and phases as metadata, which make no time series.
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
    tlsVersion: { min: goVersion[tls.version], max: goVersion[tls.version] },
    systemTags: ['status'],
    maxRedirects: 0,
  };
  return [
    "import http from 'k6/http';",
    "import exec from 'k6/execution';",
    "import { Counter, Trend } from 'k6/metrics';",
    "import { sleep } from 'k6';",
    '',
    `export const options = ${JSON.stringify(options)};`,
    `const control = ${quote(pairs.control)};`,
    `const origins = ${JSON.stringify(pairs.origins)};`,
    `const timeout = ${pairs.requestTimeoutMs};`,
    `const rows = ${data === null ? '[{}]' : JSON.stringify(data.rows.map((row) => rowOf(data.columns, row)))};`,
    `const transactions = new Trend(${quote(transactionMetric)});`,
    `const dones = new Counter(${quote(doneMetric)});`,
    ...(steps.some(readsJson) ? parsedLines('') : []),
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

/** The same in every script: taking orders, pairs, and samples. Error codes are those of k6's documentation. */
const runtime = String.raw`
// k6 holds back the last 4 KiB that it writes to its standard output.
const filling = '-'.repeat(4096);
const fills = new Counter('tls_toll_fill');
const me = Math.floor(Math.random() * 2 ** 52).toString(36) + '-' + __VU;
let order = null;
let pair = 0;
let fromMs = 0;
let state = 0;

export default function () {
  if (order === null && !takeOrder()) return;
  const going = runPair();
  if (!going) sleep(0.05);
  pair++;
  if (Date.now() - fromMs < order.durationMs) return;
  dones.add(1);
  exec.vu.metrics.metadata.fill = filling;
  fills.add(1);
  delete exec.vu.metrics.metadata.fill;
  order = null;
}

function takeOrder() {
  const answer = http.get(control + '?user=' + me, { timeout: '60s', responseType: 'text' });
  if (answer.status === 204) return false;
  if (answer.status !== 200) exec.test.abort('TLS Toll is gone');
  order = JSON.parse(answer.body);
  pair = 0;
  exec.vu.metrics.metadata.order = String(order.id);
  state = (order.seed + 7919 * order.user) | 0;
  fromMs = Date.now();
  return true;
}

function runPair() {
  exec.vu.metrics.metadata.pair = order.user + ':' + pair;
  const row = rows[(order.firstRow + (order.sameRow ? 0 : pair * order.users + order.user)) % rows.length];
  for (const place of drawOrder(order.arms.length)) {
    const arm = order.arms[place];
    for (let turn = 0; turn < order.turnTransactions; turn++) {
      const seen = { from: Date.now() - fromMs, requests: [], failure: null };
      try {
        transaction(arm, row, seen);
      } catch (error) {
        failed(seen, Math.max(0, seen.requests.length - 1), 'malformed_response', error);
      }
      tell(arm, seen);
      if (seen.failure !== null) return false;
    }
  }
  return true;
}

function tell(arm, seen) {
  const latency = seen.requests.reduce((sum, [blocked, , , , , whole]) => sum + blocked + whole, 0);
  exec.vu.metrics.metadata.told = JSON.stringify({ ...seen, to: Date.now() - fromMs });
  transactions.add(latency, { arm });
  delete exec.vu.metrics.metadata.told;
}

function timesOf(response) {
  const { blocked, connecting, tls_handshaking, sending, waiting, receiving } = response.timings;
  const body = response.body;
  const bytes = body === null || body === undefined ? 0 : body.byteLength !== undefined ? body.byteLength : body.length;
  const timing = /(?:^|,)\s*app;(?:[^,]*;)?dur=([0-9.]+)/.exec(response.headers['Server-Timing'] || '');
  const tls = tls_handshaking > 0 ? [response.tls_version, response.tls_cipher_suite] : null;
  return [blocked, connecting, tls_handshaking, sending + waiting, receiving, sending + waiting + receiving, bytes, timing === null ? null : Number(timing[1]), tls];
}

function failed(seen, step, outcome, detail) {
  seen.failure = { step, outcome, detail: String(detail).slice(0, 200) };
}

function isBroken({ error_code }) {
  return error_code !== 0 && !(error_code >= 1400 && error_code < 1600);
}

function outcomeOf({ error_code }) {
  if (error_code === 1050) return 'timed_out';
  if (error_code === 1212) return 'connection_refused';
  if (error_code === 1220) return 'connection_reset';
  if (error_code >= 1300 && error_code < 1400) return 'tls_failed';
  if (error_code >= 1100 && error_code < 1220) return 'connect_failed';
  return 'connection_closed_early';
}

function drawOrder(count) {
  const places = Array.from({ length: count }, (_, place) => place);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(draw() * (last + 1));
    [places[last], places[other]] = [places[other], places[last]];
  }
  return places;
}

function draw() {
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), 1 | state);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}
`;
