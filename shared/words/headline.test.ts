/** Protects the headline of a run: which metric it is about, what it says of each outcome, and that it says no more than its interval. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BySide, type KnownSide, sidesOfPair } from '../base/transport.ts';
import type { MetricComparison } from '../kinds/comparison/comparison.ts';
import type { Pool, PooledMetric } from '../kinds/comparison/past.ts';
import type { ComparedMetric, MetricChange } from '../kinds/comparison/result-changes.ts';
import { sampleAtLoad } from '../testing/sample-at-load.ts';
import { sampleCpu } from '../testing/sample-metric.ts';
import { headlineOfChange, headlineOfQuestions, headlineOfRun, headlineRowOf } from './headline.ts';

const cpu: MetricComparison = {
  ...sampleCpu,
  baseline: { center: 24, lo: 23.5, hi: 24.5 },
  comparison: { center: 42, lo: 41, hi: 43 },
  delta: { center: 18, lo: 14.9, hi: 21.1 },
  ratio: { center: 1.75, lo: 1.62, hi: 1.88 },
};
const throughput: MetricComparison = {
  ...cpu,
  id: 'throughput',
  unit: 'transactions/s',
  baseline: { center: 890, lo: 880, hi: 900 },
  comparison: { center: 748, lo: 740, hi: 756 },
  delta: { center: -142, lo: -160, hi: -120 },
  ratio: { center: 0.84, lo: 0.72, hi: 0.96 },
};
const latency: MetricComparison = {
  ...cpu,
  id: 'latency_p50',
  baseline: { center: 61, lo: 60, hi: 62 },
  comparison: { center: 80, lo: 79, hi: 81 },
  delta: { center: 19, lo: 18, hi: 20 },
  ratio: { center: 1.31, lo: 1.2, hi: 1.42 },
};

const paired = sidesOfPair(['http', 'https']);
const runOf = (row: MetricComparison, more: object = {}) => ({
  verdict: { metric: row.id, outcome: row.outcome },
  ...{ metrics: [row], sides: paired as BySide<KnownSide>, scenario: { steps: [{}] } },
  plan: { tolerance: 0.05 },
  ...more,
});
const headline = (row: MetricComparison, more: object = {}) => headlineOfRun(runOf(row, more) as never);

describe('a difference that is certain', () => {
  test('of CPU is printed in its unit first, then in percent, with load and both sides', () => {
    expect(headline(cpu)).toEqual({
      title: 'HTTPS costs 18 µs more server CPU per request',
      second: '+75 % at full load (24 → 42 µs)',
    });
    expect(headline(cpu, { scenario: { steps: [{}, {}] } })?.title).toMatch(/ per transaction$/);
  });
  test('of throughput serves less, and of latency takes longer', () => {
    expect(headline(throughput)).toEqual({
      title: 'HTTPS lowers throughput by 142 transactions/s',
      second: '−16 % at full load (890 → 748 transactions/s)',
    });
    expect(headline(latency)).toEqual({
      title: 'HTTPS takes 19 µs longer per request in the median',
      second: '+31 % with one user (61 → 80 µs)',
    });
  });
  test('whose difference may be none in its unit says "about"', () => {
    expect(headline({ ...cpu, delta: { center: 18, lo: -1, hi: 37 } })?.title).toContain(
      'costs about 18 µs more',
    );
  });
  test('may be a saving', () => {
    const delta = { center: -18, lo: -21.1, hi: -14.9 };
    const less = { ...cpu, delta, ratio: { center: 0.57, lo: 0.45, hi: 0.69 } };
    expect(headline(less)).toMatchObject({
      title: 'HTTPS costs 18 µs less server CPU per request',
      second: expect.stringMatching(/^−43 % at full load/),
    });
  });
  test('at a rate or per new connection names that', () => {
    const atLoad = { ...sampleAtLoad, ratePerS: 2000 };
    expect(headline(cpu, { atLoad })?.second).toContain(' at 2,000 transactions/s (');
    expect(headline(cpu, { connectionsPerTransaction: 2 })).toEqual({
      title: 'HTTPS costs 9.0 µs more server CPU per new connection',
      second: '+75 % at full load (12.0 → 21.0 µs)',
    });
  });
});

describe('sides', () => {
  const named = (comparison: string, baseline: string) => ({
    sides: {
      baseline: { transport: 'https', name: baseline },
      comparison: { transport: 'https', name: comparison },
    },
  });
  test('with names are both named, unless that is too long', () => {
    expect(headline(cpu, named('RSA-2048', 'ECDSA P-256'))?.title).toBe(
      'RSA-2048 costs 18 µs more server CPU per request than ECDSA P-256',
    );
    const [long, other] = ['X25519MLKEM768 with an RSA-2048 certificate', 'X25519 with an ECDSA certificate'];
    expect(headline(cpu, named(long, other))?.title).toBe(`${long} costs 18 µs more server CPU per request`);
  });
  test.each([
    ['nginx', 'nginx costs'],
    ['localhost:8443', 'localhost:8443 costs'],
    ['mutual TLS', 'Mutual TLS costs'],
  ])('%s begins as it is written', (name, start) => {
    expect(headline(cpu, named(name, 'other'))?.title).toContain(start);
  });
  test('that speak the same protocol are distinguished', () => {
    expect(headline(cpu, { sides: sidesOfPair(['http', 'http']) })?.title).toMatch(/^The second HTTP side/);
  });
});

test('within the tolerance, both cost the same', () => {
  const ratio = { center: 0.996, lo: 0.985, hi: 1.007 };
  const same = { ...cpu, outcome: 'no_overhead' as const, ratio, delta: { center: -0.1, lo: -0.4, hi: 0.2 } };
  expect(headline(same)).toMatchObject({
    title: 'HTTPS costs the same server CPU per request as HTTP, within ±5 %',
    second: expect.stringMatching(/^−0\.4 % at full load \(/),
  });
  const wide = { ...same, ratio: { center: 1.01, lo: 0.967, hi: 1.0532 } };
  expect(headline(wide)?.title).toContain('within ±5.4 %');
});

test('an unclear difference is the best guess with its interval', () => {
  const unclear = {
    ...cpu,
    outcome: 'inconclusive' as const,
    baseline: { center: 1420, lo: 1400, hi: 1440 },
    comparison: { center: 1590, lo: 1500, hi: 1680 },
    delta: { center: 170, lo: -50, hi: 400 },
    ratio: { center: 1.12, lo: 0.96, hi: 1.28 },
  };
  expect(headline(unclear, { scenario: { steps: [{}, {}] } })).toEqual({
    title: 'Probably +0.17 ms (+12 %): between −0.05 and +0.40 ms. Not certain yet.',
    second: 'Server CPU per transaction at full load, HTTPS compared with HTTP (1.42 → 1.59 ms)',
  });
  expect(headline({ ...unclear, outcome: 'not_tested' })?.title).toMatch(/ ms\. Not tested\.$/);
});

test('a refused metric gives its first reason, and a run without a verdict has no headline', () => {
  const refused = {
    ...cpu,
    outcome: 'refused' as const,
    ratio: null,
    delta: null,
    reasons: ['Too few.', 'More.'],
  };
  expect(headline(refused)).toEqual({
    title: 'No verdict: Too few',
    second: 'Server CPU per request at full load, HTTPS compared with HTTP',
  });
  expect(headline({ ...refused, baseline: null, comparison: null })?.title).toBe(
    'No verdict: nothing could be measured',
  );
  expect(headline(cpu, { verdict: null })).toBeNull();
});

const interval = (center: number) =>
  fc
    .tuple(fc.double({ min: 0, max: 0.4, noNaN: true }), fc.double({ min: 0, max: 0.4, noNaN: true }))
    .map(([below, above]) => ({ center, lo: center - below, hi: center + above }));

test('no headline claims more than its interval, whatever the digits', () => {
  const shares = fc.double({ min: 0.5, max: 3, noNaN: true }).chain(interval);
  fc.assert(
    fc.property(shares, fc.double({ min: 1, max: 1e6, noNaN: true }), (ratio, first) => {
      const scaled = (share: number) => first * (share - 1);
      const delta = { center: scaled(ratio.center), lo: scaled(ratio.lo), hi: scaled(ratio.hi) };
      const baseline = { center: first, lo: first, hi: first };
      const comparison = { center: first * ratio.center, lo: first, hi: first };
      const isCertain = ratio.lo > 1 || ratio.hi < 1;
      const outcome = isCertain ? ('overhead' as const) : ('inconclusive' as const);
      const said = headline({ ...cpu, baseline, comparison, delta, ratio, outcome });
      const claims = isCertain ? (ratio.center > 1 ? / more / : / less /) : /^Probably .* Not certain yet\.$/;
      expect(said?.title).toMatch(claims);
    }),
  );
});

describe('several runs of one question', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, place) => `${place}`.padEnd(22, 'w'));
  const pooled: PooledMetric = {
    ...{ ratio: { center: 1.5, lo: 1.38, hi: 1.62 }, baseline: 30, outcome: 'overhead' },
    ...{ runs: ids(5), between: 0.004, difference: { center: 15.2, lo: 14.2, hi: 16.2, runs: 5 } },
  };
  const out = (...reasons: string[]) => reasons.map((reason, place) => ({ id: ids(9)[place] ?? '', reason }));
  const poolOf = (pool: Partial<Pool>) => ({ pool: { metrics: {}, leftOut: [], ...pool } });

  test('are the headline, with the number and reason of the excluded ones', () => {
    const pool = poolOf({ metrics: { cpu_at_load: pooled }, leftOut: out('another kernel') });
    expect(headline(cpu, pool)).toEqual({
      title: 'HTTPS costs 15 µs more server CPU per request',
      second: '+50 % at full load (30 → 45 µs)',
      third: '5 of 6 runs of this question: +15 µs (14 to 16), +50 % (38 to 62); 1 left out: another kernel.',
    });
    const reasons = out('another kernel', 'TLS 1.2 instead of TLS 1.3', 'another kernel');
    expect(headline(cpu, poolOf({ leftOut: reasons }))?.third).toBe(
      '1 of 4 runs of this question: +18 µs (15 to 21), +75 % (62 to 88); 3 left out: another kernel (2), TLS 1.2 instead of TLS 1.3 (1).',
    );
    expect(headline(cpu)).not.toHaveProperty('third');
  });

  test('have the outcome of the headline', () => {
    const unclear = {
      ...pooled,
      outcome: 'inconclusive' as const,
      ratio: { center: 1.02, lo: 0.98, hi: 1.06 },
    };
    const run = runOf(cpu, poolOf({ metrics: { cpu_at_load: unclear } }));
    expect(headlineRowOf(run as never)?.row.outcome).toBe('inconclusive');
    expect(headlineOfRun(run as never)?.title).toMatch(/^Probably /);
  });

  test('pooled in another metric than the verdict change nothing', () => {
    expect(headline(cpu, poolOf({ metrics: { throughput: pooled } }))?.title).toContain('18 µs');
  });

  test('give centers that divide and subtract, even without a pooled first side', () => {
    const { baseline: _, difference: __, ...bare } = pooled;
    expect(headline(cpu, poolOf({ metrics: { cpu_at_load: bare } }))).toMatchObject({
      title: 'HTTPS costs 12 µs more server CPU per request',
      second: '+50 % at full load (24 → 36 µs)',
    });
  });
});

describe('a change between two runs', () => {
  const { pairs: _, ...first } = cpu;
  const second: ComparedMetric = {
    ...first,
    comparison: { center: 38.4, lo: 38, hi: 39 },
    delta: { center: 14.4, lo: 13.4, hi: 15.4 },
    ratio: { center: 1.6, lo: 1.48, hi: 1.72 },
  };
  const change: MetricChange = {
    ...{ id: 'cpu_at_load', unit: 'us', from: first, to: second, reasons: [] },
    ratio: { center: 0.914, lo: 0.88, hi: 0.95 },
    delta: { center: -3.6, lo: -4.8, hi: -2.4 },
    outcome: 'changed',
  };
  const server = [{ name: 'Server', from: 'nginx 1.22.1', to: 'nginx 1.28.0' }];
  const of = (row: MetricChange, setup = server) =>
    headlineOfChange(
      row,
      { run: runOf(cpu) as never, row: row.from },
      { run: runOf(cpu) as never, row: row.to },
      { setup, tolerance: 0.05 },
    );

  test('is printed in the unit, then in points, and names the only software that differs', () => {
    expect(of(change)).toEqual({
      title: 'HTTPS costs 3.6 µs less per request on nginx 1.28.0 than on nginx 1.22.1',
      second: '−15 points at full load: from +18.0 µs (+75 %) to +14.4 µs (+60 %)',
      third: expect.stringMatching(/^95 % CI of the change: −4\.8 to −2\.4 µs, −\d+ to [+−]\d+ points\.$/),
    });
    expect(of(change, [...server, { name: 'Cores', from: '2', to: '4' }]).title).toMatch(
      /^HTTPS costs 3\.6 µs less per request in the second run than in the first$/,
    );
  });

  test('is printed in points if the difference changes its sign', () => {
    expect(of({ ...change, delta: { center: 0.2, lo: -0.5, hi: 0.9 } }).title).toMatch(
      /costs 15 points less/,
    );
  });

  test('is none within the tolerance, and a guess if it is unclear', () => {
    const ratio = { center: 1.002, lo: 0.99, hi: 1.01 };
    expect(of({ ...change, outcome: 'no_change', ratio }).title).toBe(
      'HTTPS costs the same per request in both runs, within ±5 %',
    );
    const delta = { center: -3.6, lo: -8, hi: 0.8 };
    expect(of({ ...change, outcome: 'inconclusive', delta }).title).toBe(
      'Probably −3.6 µs (−15 points): between −8.0 and +0.8 µs. Not certain yet.',
    );
  });

  test('costs less if less throughput is lost', () => {
    const row = { ...change, id: 'throughput' as const, delta: { center: 2300, lo: 700, hi: 3900 } };
    const ratio = { center: 1.1, lo: 1.05, hi: 1.15 };
    const [from, to] = [0.57, 0.63].map((center) => ({
      ...first,
      ratio: { center, lo: center, hi: center },
    }));
    if (from === undefined || to === undefined) throw new Error('there are two');
    expect(of({ ...row, ratio, from, to }).title).toMatch(/ less throughput on nginx 1\.28\.0 than /);
  });

  test('has no outcome between two questions', () => {
    expect(
      headlineOfQuestions(['targets', 'scenarios'], runOf(cpu) as never, runOf(throughput) as never),
    ).toEqual({
      title: 'Two different questions: +18 µs (+75 %) and −142 transactions/s (−16 %)',
      second: 'Targets and scenarios differ, so there is no verdict',
    });
  });
});
