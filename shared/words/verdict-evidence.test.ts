/** Protects the line below a verdict: it holds what may be printed of the metric, and nothing twice. */
import { expect, test } from 'vitest';
import type { MetricComparison, VerdictOutcome } from '../kinds/comparison/comparison.ts';
import type { CountedConnections, FairnessSide, RunDocument, SideTls } from '../kinds/comparison/run.ts';
import { managedTargetSchema } from '../target/target.ts';
import { sampleAtLoad } from '../testing/sample-at-load.ts';
import { sampleCpu } from '../testing/sample-metric.ts';
import { evidenceOf } from './verdict-evidence.ts';

const pairs = Array.from({ length: 12 }, (_, block) => ({ block, atMs: 0, value: 1.2, twinValue: 1 }));
const launches = Array.from({ length: 4 }, (_, launch) => ({
  launch,
  ratio: { center: 1.21, lo: 1.2, hi: 1.22 },
  twinRatio: 1,
}));
const cpu: MetricComparison = {
  ...sampleCpu,
  baseline: { center: 12.4, lo: 12, hi: 13 },
  comparison: { center: 15, lo: 14.8, hi: 15.2 },
  delta: { center: 2.6, lo: 2.5, hi: 2.8 },
  ratio: { center: 1.21, lo: 1.198, hi: 1.222 },
  launches,
  pairs,
};

const plainSide: SideTls = { negotiated: null, handshakes: { full: 0, resumed: 0 }, connections: 8 };
const negotiated = {
  ...{ protocol: 'TLSv1.2', cipher: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' },
  ...{ group: 'X25519', key: 'RSA 2048', alpn: null },
};
const plain = { baseline: plainSide, comparison: plainSide };

const steps = [{ name: 'Home' }, { name: 'Search' }];
const sides = {
  baseline: { transport: 'http', origin: null },
  comparison: { transport: 'https', origin: null },
} as const;
const plan = { connectionPolicy: 'keep-alive', requestsPerConnection: 10 } as const;
const known = { sides, plan, scenario: { steps } as RunDocument['scenario'], fairness: null, tls: plain };

function evidence(change: Partial<MetricComparison>) {
  const row = { ...cpu, ...change };
  const verdict = { metric: row.id as never, outcome: row.outcome };
  return evidenceOf({ ...known, verdict, metrics: [row] });
}

test('of an overhead it is the amount, the interval and the launches', () => {
  expect(evidence({})).toBe(
    'This run: +2.6 µs (2.5 to 2.8), +21.0 % (19.8 to 22.2), 95 % CI from 4 starts; that is +1.3 µs per request',
  );
  expect(evidence({ id: 'throughput', unit: 'transactions/s' })).toBe(
    'This run: +2.6 transactions/s (2.5 to 2.8), +21.0 % (19.8 to 22.2), 95 % CI from 4 starts',
  );
});

test.each<VerdictOutcome>(['not_tested', 'inconclusive'])('of %s it is the best guess as well', (outcome) => {
  expect(evidence({ outcome })).toMatch(/^This run: \+2\.6\d? µs \(2\.5\d? to 2\.8\d?\), .*4 starts$/);
});

test('what is too little to matter has its amount', () => {
  expect(evidence({ outcome: 'no_overhead' })).toMatch(/^This run: \+2\.6 µs \(/);
});

const verdict = { metric: cpu.id, outcome: 'overhead' } as const;

test('a lone request is beside the cost at load, where it is certain', () => {
  const one = { steps: steps.slice(0, 1) } as RunDocument['scenario'];
  const lone: MetricComparison = {
    ...{ ...cpu, id: 'cpu_lone' },
    delta: { center: 14.2, lo: 13, hi: 15 },
  };
  const lines = (outcome: VerdictOutcome) =>
    evidenceOf({ ...known, scenario: one, verdict, metrics: [cpu, { ...lone, outcome }] });
  expect(lines('overhead')).toBe(
    'This run: +2.6 µs (2.5 to 2.8), +21.0 % (19.8 to 22.2), 95 % CI from 4 starts; with one user, a request on an idle server +14.2 µs',
  );
  expect(lines('inconclusive')).toMatch(/4 starts$/);
});

test('the users and the busy cores of both sides are beside the cost, whatever was the limit', () => {
  const side = (maximum: number | null) =>
    ({ targetCpuPercent: { lockstep: 30, maximum, steady: null } }) as FairnessSide;
  const said = (maximum: number | null) =>
    evidenceOf({
      ...{ ...known, verdict, metrics: [cpu], atLoad: sampleAtLoad },
      fairness: { baseline: side(62), comparison: side(maximum) },
    });
  expect(said(98.2)).toMatch(
    / 4 starts; that is \+1\.3 µs per request; 8 users, HTTP 0\.62 cores, HTTPS 0\.98$/,
  );
  expect(said(null)).toMatch(/per request; 8 users$/);
});

test('one start, and a metric without starts, name their samples', () => {
  expect(evidence({ launches: launches.slice(0, 1) })).toMatch(/ from 12 samples; /);
  expect(evidence({ launches: [] })).toMatch(/ from 12 samples; /);
});

test('a link is named', () => {
  const link = { roundTripMs: 5, mbitPerS: null, added: null };
  expect(evidenceOf({ ...known, verdict, metrics: [cpu], link })).toMatch(
    /, over metro \(5 ms round trip\); /,
  );
});

test('the TLS that was negotiated is named', () => {
  const tls = { ...plain, comparison: { ...plainSide, negotiated } };
  expect(evidenceOf({ ...known, verdict, metrics: [cpu], tls })).toMatch(
    / 4 starts, TLS 1\.2, AES-128-GCM; /,
  );
});

test('there is none of what is refused, and without a verdict', () => {
  expect(evidence({ outcome: 'refused' })).toBeNull();
  expect(evidenceOf({ ...known, verdict: null, metrics: [cpu] })).toBeNull();
});

const perConnection = (tls: RunDocument['tls'], change: Partial<MetricComparison> = {}, each = 1) => {
  const row: MetricComparison = {
    ...cpu,
    baseline: { center: 118, lo: 117, hi: 119 },
    comparison: { center: 149, lo: 148, hi: 150 },
    delta: { center: 31, lo: 29.4, hi: 32.6 },
    ratio: { center: 1.263, lo: 1.249, hi: 1.276 },
    ...change,
  };
  return evidenceOf({ ...known, tls, verdict, metrics: [row], connectionsPerTransaction: each });
};
const bothSides = {
  baseline: { ...plainSide, negotiated },
  comparison: { ...plainSide, negotiated },
};

test('of new connections it is the change, and what their amount is for a request on longer ones', () => {
  expect(perConnection(bothSides)).toBe(
    'This run: +31 µs (29 to 33), +26.3 % (24.9 to 27.6), 95 % CI from 4 starts, TLS 1.2, AES-128-GCM; +3.1 µs per request at 10 requests per connection, +0.31 µs at 100',
  );
  expect(perConnection(bothSides, {}, 2)).toMatch(
    /^This run: \+1[56](\.\d)? µs .*; \+1\.6 µs per request at 10 /,
  );
});

test('encryption is not cheaper for many requests on a connection, nor is anything said of what is not certain', () => {
  expect(perConnection({ ...bothSides, baseline: plainSide })).not.toContain('per request');
  expect(perConnection(bothSides, { outcome: 'inconclusive' })).toBe(
    'This run: +31 µs (29 to 33), +26.3 % (24.9 to 27.6), 95 % CI from 4 starts, TLS 1.2, AES-128-GCM',
  );
});

const counted = (opened: number, renegotiated = 0) => ({
  ...{ requests: 2000, transactions: 1000, opened, renegotiated },
  ...{ handshakesFull: opened, handshakesResumed: 0 },
});
const evidenceWith = (baseline: CountedConnections, comparison: CountedConnections, more: object = {}) =>
  evidenceOf({
    ...{ ...known, verdict, metrics: [cpu], connections: { baseline, comparison } },
    ...more,
  });

test('handshakes that were counted are said where they are no longer few', () => {
  expect(evidenceWith(counted(40), counted(99))).not.toContain('including');
  expect(evidenceWith(counted(1000), counted(1000))).toBe(
    'This run: +2.6 µs (2.5 to 2.8), +21.0 % (19.8 to 22.2), 95 % CI from 4 starts, including 1 handshake per transaction; keep-alive was planned; the server closed each connection after 2 responses on average; that is +1.3 µs per request',
  );
  const sides = {
    baseline: { transport: 'https', name: 'nginx', origin: null },
    comparison: { transport: 'https', name: 'Apache', origin: null },
  } as const;
  expect(evidenceWith(counted(20), counted(1000), { sides })).toMatch(
    /, including 0\.02 handshakes with nginx and 1 with Apache per transaction; keep-alive was planned; with Apache the server closed each connection after 2 responses on average; /,
  );
  expect(evidenceWith(counted(0), counted(0, 500))).toMatch(
    /, including 0\.5 handshakes per transaction; keep-alive was planned; with HTTPS the server asked for 0\.25 more handshakes per request on open connections; /,
  );
  const plain = { sides: { ...known.sides, comparison: { transport: 'h2c', origin: null } } };
  expect(evidenceWith(counted(1000), counted(1000), plain)).toContain(
    ', including 1 new connection per transaction',
  );
});

test('a server that was started to close connections does what was planned', () => {
  const target = managedTargetSchema.parse({ kind: 'managed', server: 'nginx', keepAlive: false });
  const asked = { sides: { baseline: {}, comparison: {} } };
  expect(evidenceWith(counted(2000), counted(2000), { target, asked })).not.toContain('planned');
  const kept = { sides: { baseline: { target: { keepAlive: true } }, comparison: {} } };
  expect(evidenceWith(counted(2000), counted(2000), { target, asked: kept })).toContain(
    'keep-alive was planned; with HTTP the server closed each connection after one response; ',
  );
});

test('new connections that nobody planned are said to be the unit because the server closed them', () => {
  expect(evidenceWith(counted(2000), counted(1990), { connectionsPerTransaction: 2 })).toMatch(
    /4 starts; keep-alive was planned; the server closed each connection after one response$/,
  );
});

test.each([
  ['requests-per-connection', 10, 200, null],
  [
    'requests-per-connection',
    10,
    1000,
    '10 requests per connection were planned; the server closed each connection after 2',
  ],
  ['connection-per-transaction', 10, 1000, null],
  [
    'connection-per-transaction',
    10,
    2000,
    'one connection per transaction was planned; the server closed each connection after one',
  ],
  ['connection-per-request', 10, 2000, null],
] as const)(
  'with %s of %i, %i new connections for 2,000 requests depart from it: %s',
  (connectionPolicy, requestsPerConnection, opened, said) => {
    const found = evidenceWith(counted(opened), counted(opened), {
      plan: { connectionPolicy, requestsPerConnection },
    });
    if (said === null) expect(found).not.toContain('planned');
    else expect(found).toContain(said);
  },
);

test('a run names its duration, and a running server that it did not start', () => {
  const times = { startedAt: 1000, endedAt: 22_400 };
  expect(evidenceOf({ ...known, ...times, verdict, metrics: [cpu] })).toContain('from 4 starts in 21 s; ');
  const target = { kind: 'origins', http: 'http://127.0.0.1:1', https: 'https://127.0.0.1:2' } as const;
  const one = { ...cpu, launches: launches.slice(0, 1) };
  const said = evidenceOf({ ...known, target, verdict, metrics: [one] });
  expect(said).toContain('from 12 samples; the server was running, not started by us; ');
  expect(said).not.toContain('1 start');
});
