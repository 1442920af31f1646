/** Protects the line below a verdict: it holds what may be printed of the metric, and nothing twice. */
import { expect, test } from 'vitest';
import type { MetricComparison, VerdictOutcome } from './comparison.ts';
import type { TlsSummary } from './run.ts';
import { evidenceOf } from './verdict-evidence.ts';

const pairs = Array.from({ length: 12 }, (_, block) => ({ block, value: 1.2, twinValue: 1 }));
const launches = Array.from({ length: 4 }, (_, launch) => ({
  launch,
  ratio: { center: 1.21, lo: 1.2, hi: 1.22 },
  twinRatio: 1,
}));
const cpu: MetricComparison = {
  id: 'cpu_at_load',
  unit: 'us',
  baseline: { center: 12.4, lo: 12, hi: 13 },
  comparison: { center: 15, lo: 14.8, hi: 15.2 },
  delta: { center: 2.6, lo: 2.5, hi: 2.8 },
  ratio: { center: 1.21, lo: 1.198, hi: 1.222 },
  twinRatio: null,
  ratioOfAll: null,
  launches,
  outcome: 'overhead',
  reasons: [],
  pairs,
};

const plain: TlsSummary = {
  ...{ protocol: null, cipher: null, group: null, key: null, alpn: null },
  handshakes: { full: 0, resumed: 0 },
  connections: { baseline: 8, comparison: 8 },
};

function evidence(change: Partial<MetricComparison>, sentence = 'HTTPS costs 21 % more server CPU') {
  const row = { ...cpu, ...change };
  const verdict = { sentence, metric: row.id as never, outcome: row.outcome };
  return evidenceOf({ verdict, metrics: [row], tls: plain });
}

test('of an overhead it is the amount, the interval and the launches', () => {
  expect(evidence({})).toBe('+2.6 µs per transaction, 95 % CI +19.8 to +22.2 %, 4 launches');
  expect(evidence({ id: 'throughput', unit: 'transactions/s' })).toBe(
    '+2.6 transactions/s, 95 % CI +19.8 to +22.2 %, 4 launches',
  );
});

test.each<VerdictOutcome>(['no_overhead', 'inconclusive'])(
  'of %s it is the interval without an amount',
  (outcome) => {
    expect(evidence({ outcome })).toBe('95 % CI +19.8 to +22.2 %, 4 launches');
  },
);

test('one launch, and a run from before launches, name their blocks', () => {
  expect(evidence({ launches: launches.slice(0, 1) })).toMatch(/, 12 blocks of one launch$/);
  expect(evidence({ launches: [] })).toMatch(/, 12 blocks$/);
});

test('a link is named', () => {
  const link = { roundTripMs: 5, mbitPerS: null, added: null };
  const verdict = { sentence: 'x', metric: cpu.id, outcome: 'overhead' } as const;
  expect(evidenceOf({ verdict, metrics: [cpu], link, tls: plain })).toMatch(
    /, over metro \(5 ms round trip\)$/,
  );
});

test('the TLS that was negotiated is named', () => {
  const tls = { ...plain, protocol: 'TLSv1.2', cipher: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' };
  const verdict = { sentence: 'x', metric: cpu.id, outcome: 'overhead' } as const;
  expect(evidenceOf({ verdict, metrics: [cpu], tls })).toMatch(/, 4 launches, TLS 1\.2, AES-128-GCM$/);
});

test('there is none of what is refused, and where a stored sentence says it all', () => {
  expect(evidence({ outcome: 'refused' })).toBeNull();
  expect(evidence({}, 'HTTPS costs 2.6 µs more (+21.0 %, 95 % interval +19.8 to +22.2 %)')).toBeNull();
  expect(evidenceOf({ verdict: null, metrics: [cpu], tls: plain })).toBeNull();
});
