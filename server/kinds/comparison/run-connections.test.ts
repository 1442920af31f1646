/** Protects what is said of connections: it follows what was counted, and sides that differ for no reason are not compared. */
import { expect, test } from 'vitest';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { runRequestSchema, type SidesRequestInput } from '../../../shared/kinds/comparison/run-request.ts';
import { blockInTest, percentilesInTest } from '../../testing/block-in-test.ts';
import {
  connectionsOf,
  connectionsPerTransactionOf,
  departureOf,
  type RunRecord,
  refusalOfConnections,
} from './run-connections.ts';

/** A block at load whose sides opened so many connections for 100 transactions of 3 requests; 400 µs each with TLS. */
function blocksWith(opened: { baseline: number; comparison: number }, renegotiations = 0) {
  const loadOf = (arm: string) => ({
    connectionsOpened: arm === 'comparison' ? opened.comparison : opened.baseline,
    renegotiations: arm === 'comparison' ? renegotiations : 0,
  });
  const phases = {
    ...{ connectUs: percentilesInTest(100), tlsUs: percentilesInTest(300) },
    ...{ ttfbUs: null, downloadUs: null },
  };
  return [
    blockInTest(0, 'lockstep', (arm) => ({ load: { ...loadOf(arm), phases } })),
    blockInTest(1, 'maximum', (arm) => ({ load: loadOf(arm) })),
  ];
}

const record = (connectionPolicy: string, steps = 3) =>
  ({ plan: { connectionPolicy }, scenario: { steps: Array(steps).fill({}) } }) as unknown as RunRecord;

test.each([
  ['keep-alive', { baseline: 0, comparison: 2 }, undefined],
  ['keep-alive', { baseline: 150, comparison: 150 }, undefined],
  ['keep-alive', { baseline: 299, comparison: 300 }, 3],
  ['keep-alive', { baseline: 299, comparison: 2 }, undefined],
  ['requests-per-connection', { baseline: 300, comparison: 300 }, 3],
  ['connection-per-transaction', { baseline: 100, comparison: 100 }, 1],
  ['connection-per-transaction', { baseline: 300, comparison: 298 }, 3],
  ['connection-per-transaction', { baseline: 100, comparison: 200 }, undefined],
  ['connection-per-request', { baseline: 300, comparison: 300 }, 3],
])('with %s planned and %o counted, a transaction opens %s', (policy, opened, expected) => {
  expect(connectionsPerTransactionOf(record(policy), connectionsOf(blocksWith(opened)))).toBe(expected);
});

test('a departure from the plan is a fact of the run, and keeping to it is none', () => {
  const run = { ...record('keep-alive'), plan: { connectionPolicy: 'keep-alive', requestsPerConnection: 1 } };
  const request = runRequestSchema.parse({});
  const of = (opened: number) =>
    departureOf(run as unknown as RunRecord, request, blocksWith({ baseline: opened, comparison: opened }));
  expect(of(300)).toEqual({
    departed: 'keep-alive was planned; the server closed each connection after one response',
  });
  expect(of(2)).toEqual({});
});

test('where nothing was measured at load, the plan is all there is', () => {
  expect(connectionsOf([])).toBeUndefined();
  expect(connectionsPerTransactionOf(record('connection-per-request'), undefined)).toBe(3);
  expect(connectionsPerTransactionOf(record('keep-alive'), undefined)).toBeUndefined();
});

const headline = (halfWidthUs: number): MetricComparison => ({
  ...{ id: 'cpu_at_load', unit: 'us', twinRatio: null, ratioOfAll: null, launches: [], pairs: [] },
  ...{ outcome: 'overhead', reasons: [], ratio: { center: 1.3, lo: 1.2, hi: 1.4 } },
  baseline: { center: 100, lo: 99, hi: 101 },
  comparison: { center: 130, lo: 128, hi: 132 },
  delta: { center: 30, lo: 30 - halfWidthUs, hi: 30 + halfWidthUs },
});

function refusal(
  opened: { baseline: number; comparison: number },
  halfWidthUs: number,
  sides: SidesRequestInput = {},
  renegotiations = 0,
) {
  const target = { kind: 'managed', server: 'nginx' } as const;
  const asked = runRequestSchema.parse({ kind: 'comparison', target, sides });
  const labels = { baseline: 'HTTP', comparison: 'HTTPS' };
  return refusalOfConnections(blocksWith(opened, renegotiations), headline(halfWidthUs), { asked, labels });
}

test('a side that opened more is refused where that is worth over a third of the half-width', () => {
  // 1 of 100 transactions more, at 400 µs each, is 4 µs.
  expect(refusal({ baseline: 0, comparison: 1 }, 13)).toBeNull();
  expect(refusal({ baseline: 0, comparison: 1 }, 11)).toBe(
    'The sides differ in their connections, because more of them were closed on one: HTTP opened 0 for 300 requests, HTTPS opened 1 for 300 requests. The difference would be that of HTTPS’s new connections. Have the servers keep them alike (keep-alive, the most requests per connection).',
  );
  expect(refusal({ baseline: 300, comparison: 0 }, 13)).toContain('HTTP’s new connections');
  expect(refusal({ baseline: 300, comparison: 300 }, 0.1)).toBeNull();
  expect(refusal({ baseline: 0, comparison: 0 }, 13, {}, 150)).toContain(
    'HTTPS opened 0 and renegotiated 150 times for 300 requests',
  );
});

test('what the question is about may differ', () => {
  const https = { transport: 'https' } as const;
  const opened = { baseline: 0, comparison: 300 };
  const may: SidesRequestInput[] = [
    { baseline: https, comparison: { transport: 'h2' } },
    {
      baseline: { ...https, tls: { resumption: 'none' } },
      comparison: { ...https, tls: { resumption: 'tickets' } },
    },
    { baseline: https, comparison: { ...https, target: { server: 'apache' } } },
  ];
  for (const sides of may) expect(refusal(opened, 13, sides)).toBeNull();
  const mayNot: SidesRequestInput[] = [
    { baseline: { transport: 'http' }, comparison: { transport: 'h2' } },
    { baseline: https, comparison: { ...https, target: { key: 'RSA-2048' } } },
    { baseline: https, comparison: { ...https, tls: { version: 'TLSv1.2' } } },
  ];
  for (const sides of mayNot) expect(refusal(opened, 13, sides)).not.toBeNull();
});
