/** Protects the sentence of a verdict: which metric it is about, and what it says. */

import { describe, expect, test } from 'vitest';
import { type BySide, type KnownSide, sidesOfPair } from '../../../shared/base/transport.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { sampleAtLoad } from '../../../shared/testing/sample-at-load.ts';
import { reachOf, verdictSentence } from './verdict-sentence.ts';

const pairs = Array.from({ length: 12 }, (_, block) => ({ block, atMs: 0, value: 1.2, twinValue: 1 }));
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
  twinRatio: { center: 1, lo: 0.99, hi: 1.01 },
  ratioOfAll: null,
  launches,
  outcome: 'overhead',
  reasons: [],
  pairs,
};
const throughput: MetricComparison = {
  ...cpu,
  id: 'throughput',
  unit: 'transactions/s',
  delta: { center: -142, lo: -160, hi: -120 },
  ratio: { center: 0.84, lo: 0.81, hi: 0.87 },
};
const latency: MetricComparison = {
  ...cpu,
  id: 'latency_p50',
  delta: { center: -1240, lo: -1500, hi: -900 },
  ratio: { center: 0.88, lo: 0.85, hi: 0.91 },
};

const paired = sidesOfPair(['http', 'https']);
const tolerance = 0.05;
const told = { sides: paired, tolerance, steps: 1 };
const sentence = (row: MetricComparison, sides: BySide<KnownSide> = paired) =>
  verdictSentence([row], { sides, tolerance, steps: 1 }).sentence;

describe('an overhead', () => {
  test('of CPU has the difference per request, its change and the load', () => {
    expect(sentence(cpu)).toBe('HTTPS costs 2.6 µs more server CPU per request, +21 % at load');
    expect(verdictSentence([cpu], { ...told, steps: 3 }).sentence).toContain('CPU per transaction, +21 %');
  });
  test('whose difference may be none in its unit says "about"', () => {
    expect(sentence({ ...cpu, delta: { center: 2.6, lo: -0.4, hi: 5.6 } })).toContain(
      'costs about 2.6 µs more',
    );
  });
  test('of throughput is what is served less', () => {
    expect(sentence(throughput)).toBe('HTTPS lowers throughput by 142 transactions/s, −16 %');
  });
  test('may be negative', () => {
    expect(sentence(latency)).toBe('HTTPS lowers median latency by 1.2 ms, −12 %');
  });
  test('of a second listener says so', () => {
    expect(sentence(cpu, sidesOfPair(['http', 'http']))).toBe(
      'The second HTTP listener costs 2.6 µs more server CPU per request, +21 % at load',
    );
    expect(sentence(cpu, sidesOfPair(['https', 'http']))).toMatch(/^HTTP costs/);
  });
  test.each([
    [{ center: 1.0364, lo: 1.022, hi: 1.05 }, '3.6 %'],
    [{ center: 1.2046, lo: 1.2041, hi: 1.2051 }, '20.5 %'],
    [{ center: 1.2046, lo: 1.2044, hi: 1.2048 }, '20.46 %'],
    [{ center: 0.8954, lo: 0.8952, hi: 0.8958 }, '10.46 %'],
    [{ center: 1.0042, lo: 1.0001, hi: 1.0083 }, '0.42 %'],
  ])('prints no change outside its interval %j', (ratio, change) => {
    expect(
      sentence({ ...cpu, ratio, delta: { center: ratio.center - 1, lo: ratio.lo - 1, hi: ratio.hi - 1 } }),
    ).toContain(`, ${ratio.center < 1 ? '−' : '+'}${change} `);
  });
});

describe('sides with names', () => {
  const named = (comparison: string, baseline: string) => ({
    baseline: { transport: 'https' as const, name: baseline },
    comparison: { transport: 'https' as const, name: comparison },
  });
  test('are both said', () => {
    expect(sentence(cpu, named('RSA-2048', 'ECDSA P-256'))).toBe(
      'RSA-2048 costs 2.6 µs more server CPU per request than ECDSA P-256, +21 % at load',
    );
    expect(sentence(throughput, named('RSA-2048', 'ECDSA P-256'))).toBe(
      'RSA-2048 lowers throughput by 142 transactions/s, −16 %',
    );
  });
  test('that would make it long are left to the line below', () => {
    const [long, other] = ['X25519MLKEM768 with an RSA-2048 certificate', 'X25519 with an ECDSA certificate'];
    expect(sentence(cpu, named(long, other))).toBe(
      `${long} costs 2.6 µs more server CPU per request, +21 % at load`,
    );
  });
  test.each([
    ['nginx', 'nginx costs'],
    ['localhost:8443', 'localhost:8443 costs'],
    ['mutual TLS', 'Mutual TLS costs'],
  ])('%s begins as it is written', (name, start) => {
    expect(sentence(cpu, named(name, 'other'))).toContain(start);
  });
});

describe('new connections', () => {
  const row: MetricComparison = {
    ...cpu,
    delta: { center: 31.2, lo: 29, hi: 33 },
    ratio: { center: 1.26, lo: 1.25, hi: 1.28 },
  };
  const groups = {
    baseline: { transport: 'https', name: 'X25519' },
    comparison: { transport: 'https', name: 'X25519MLKEM768' },
  } as const;
  const each = (change: Partial<MetricComparison>, more: object = {}) =>
    verdictSentence([{ ...row, ...change }], {
      ...{ sides: groups, tolerance, steps: 1, connectionsPerTransaction: 1 },
      ...more,
    }).sentence;
  test('have their cost in microseconds, beside that of the baseline', () => {
    expect(each({})).toBe('X25519MLKEM768 costs 31 µs more server CPU per new connection than X25519, +26 %');
    expect(each({}, { sides: paired })).toBe('HTTPS costs 31 µs more server CPU per new connection, +26 %');
    expect(each({}, { connectionsPerTransaction: 4 })).toContain('costs 7.8 µs more');
    expect(each({ delta: { center: -31.2, lo: -33, hi: -29 } })).toContain('costs 31 µs less server CPU');
  });
  test('print no amount outside the interval', () => {
    expect(each({ delta: { center: 31.46, lo: 31.42, hi: 31.49 } })).toContain(' 31.46 µs ');
  });
  test('say at what rate', () => {
    const atLoad = { ...sampleAtLoad, ratePerS: 2000 };
    expect(each({}, { atLoad })).toBe(
      'X25519MLKEM768 costs 31 µs more server CPU per new connection, +26 % at 2,000 transactions/s',
    );
  });
  test('that may cost nothing say so in microseconds, or within the tolerance', () => {
    const delta = { center: 4, lo: -3.2, hi: 12.4 };
    expect(each({ outcome: 'inconclusive', delta })).toBe(
      'Inconclusive: best guess +4.0 µs of server CPU per new connection (+26 %), between −3.2 and +12.4 µs',
    );
    expect(each({ outcome: 'no_overhead', ratio: { center: 1, lo: 0.99, hi: 1.01 } })).toBe(
      'No overhead above 5 % in server CPU per new connection',
    );
  });
  test('are not what throughput and latency are of', () => {
    expect(each({ id: 'throughput' })).toBe('X25519MLKEM768 raises throughput by 31 transactions/s, +26 %');
  });
});

describe('no overhead', () => {
  const none: MetricComparison = {
    ...cpu,
    outcome: 'no_overhead',
    ratio: { center: 1.001, lo: 0.992, hi: 1.0101 },
  };
  test('is said above the tolerance', () => {
    expect(sentence(none)).toBe('No overhead above 5 % in server CPU at load');
  });
  test('is said above the end of the printed interval, rounded up, where that lies farther out', () => {
    expect(sentence({ ...none, ratio: { center: 1.01, lo: 0.967, hi: 1.0532 } })).toBe(
      'No overhead above 5.4 % in server CPU at load',
    );
  });
});

test('an inconclusive comparison gives the best guess and the range', () => {
  const open: MetricComparison = {
    ...cpu,
    outcome: 'inconclusive',
    ratio: { center: 1.01, lo: 0.99, hi: 1.032 },
  };
  expect(sentence(open)).toBe(
    'Inconclusive: best guess +2.6 µs of server CPU per request (+1.0 %) at load, between −1.0 and +3.2 %',
  );
});

test('a comparison that was not tested claims nothing, and gives the range', () => {
  const ratio = { center: 1.2, lo: 1.19, hi: 1.21 };
  expect(sentence({ ...cpu, outcome: 'not_tested', ratio })).toBe(
    'Not tested: between +19.0 and +21.0 % server CPU at load',
  );
});

test('a refused comparison gives the first reason', () => {
  const refused: MetricComparison = {
    ...cpu,
    outcome: 'refused',
    ratio: null,
    delta: null,
    reasons: ['Only 3 of the blocks.', 'More.'],
  };
  expect(sentence(refused)).toBe('No verdict: Only 3 of the blocks.');
});

describe('the metric of the sentence', () => {
  const unknown: MetricComparison = {
    ...cpu,
    baseline: null,
    comparison: null,
    ratio: null,
    delta: null,
    outcome: 'refused',
    reasons: ['Unknown.'],
  };
  test('is CPU per transaction, wherever it stands', () => {
    expect(verdictSentence([latency, throughput, cpu], told).metric).toBe('cpu_at_load');
  });
  test('is throughput when CPU was not measured, then median latency', () => {
    expect(verdictSentence([unknown, latency, throughput], told).metric).toBe('throughput');
    expect(verdictSentence([unknown, latency], told).metric).toBe('latency_p50');
  });
  test('passes over a refused one as long as another is left', () => {
    const refused: MetricComparison = {
      ...throughput,
      outcome: 'refused',
      reasons: ['The generator was the limit.'],
    };
    expect(verdictSentence([unknown, refused, latency], told).metric).toBe('latency_p50');
    expect(verdictSentence([unknown, refused], told)).toEqual({
      sentence: 'No verdict: The generator was the limit.',
      metric: 'throughput',
      outcome: 'refused',
    });
  });
  test('is left open when nothing was measured', () => {
    expect(verdictSentence([unknown], told).outcome).toBe('refused');
  });
});

/** Protects how far an interval goes from no difference. */

test('no interval reaches nowhere', () => {
  expect(reachOf(null, 1)).toBe(0);
  expect(reachOf({ lo: -3, hi: 2 }, 0)).toBe(3);
});
