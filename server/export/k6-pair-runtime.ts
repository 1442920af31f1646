import { quote } from './placeholders.ts';

/** The metrics that carry what is read from k6's output. */
export const transactionMetric = 'tls_toll_transaction';
export const doneMetric = 'tls_toll_done';
/** Names where orders are, in the environment of a pod. */
export const deskVariable = 'TLS_TOLL_K6_ORDERS';

/** The same in every script: taking orders, pairs, and samples. Error codes are those of k6's documentation. */
export const runtime = String.raw`
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
  endOrder();
  order = null;
}

function takeOrder() {
  const answer = ask(control + '?user=' + me, { timeout: '60s', responseType: 'text' });
  if (answer.status === 204) return false;
  if (answer.status !== 200) exec.test.abort('TLS Toll is gone');
  order = JSON.parse(answer.body);
  pair = 0;
  state = (order.seed + 7919 * order.user) | 0;
  fromMs = Date.now();
  return true;
}

function runPair() {
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
  const latencyMs = seen.requests.reduce((sum, [blocked, , , , , whole]) => sum + blocked + whole, 0);
  keep(arm, order.user + ':' + pair, latencyMs, { ...seen, to: Date.now() - fromMs });
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

/** Samples go to k6's output. */
export const toOutput = `
const transactions = new Trend(${quote(transactionMetric)});
const dones = new Counter(${quote(doneMetric)});
// k6 holds back the last 4 KiB that it writes to its standard output.
const filling = '-'.repeat(4096);
const fills = new Counter('tls_toll_fill');

function ask(address, options) {
  return http.get(address, options);
}

function keep(arm, place, latencyMs, told) {
  const { metadata } = exec.vu.metrics;
  Object.assign(metadata, { order: String(order.id), pair: place, told: JSON.stringify(told) });
  transactions.add(latencyMs, { arm });
  delete metadata.told;
}

function endOrder() {
  const { metadata } = exec.vu.metrics;
  dones.add(1);
  metadata.fill = filling;
  fills.add(1);
  delete metadata.fill;
}
`;

/** Samples are lines of JSON in the next question. */
export const toDesk = String.raw`
let lines = [];

function ask(address, options) {
  const answer = http.post(address, lines.join('\n'), options);
  lines = [];
  return answer;
}

function keep(arm, pair, latencyMs, told) {
  lines.push(JSON.stringify({ type: 'transaction', order: order.id, arm, pair, latencyMs, ...told }));
}

function endOrder() {
  lines.push(JSON.stringify({ type: 'done', order: order.id }));
}
`;
