/** Protects the words for several runs of one question, which page, reports and messages share. */

import { expect, test } from 'vitest';
import type { MetricComparison, Precision } from '../kinds/comparison/comparison.ts';
import type { Pool, PooledMetric } from '../kinds/comparison/past.ts';
import { sampleCpu } from '../testing/sample-metric.ts';
import {
  describePrecision,
  leftOutInWords,
  pooledInWords,
  poolInWords,
  printPlain,
} from './precision-words.ts';

const idOf = (place: number) => `${place}`.padEnd(22, 'w');
const pooled: PooledMetric = {
  ratio: { center: 1.431, lo: 1.421, hi: 1.441 },
  outcome: 'overhead',
  runs: [0, 1, 2, 3, 4].map(idOf),
  between: 0.004,
  difference: { center: 18.1, lo: 17.2, hi: 19, runs: 5 },
};
const verdict = { sentence: 'x', metric: 'cpu_at_load', outcome: 'overhead' } as const;
const cpu = { id: 'cpu_at_load', unit: 'us', baseline: { center: 42, lo: 41, hi: 43 } } as MetricComparison;
const wordsOf = (pool: Partial<Pool>) => ({
  ...{ verdict, metrics: [cpu] },
  pool: { metrics: {}, leftOut: [], ...pool },
});
const out = (...reasons: string[]) => reasons.map((reason, place) => ({ id: idOf(place), reason }));

test('the pooled figure has its interval, and what was left out its reasons', () => {
  const run = wordsOf({
    metrics: { cpu_at_load: pooled },
    leftOut: out('another kernel', 'TLS 1.2 instead of TLS 1.3', 'another kernel'),
  });
  expect(pooledInWords(run)).toBe(
    '5 runs of this question: +18.1 µs (+17.2 to +19.0 µs), +43.1 % (95 % CI +42.1 to +44.1 %)',
  );
  expect(leftOutInWords(run)).toBe(
    '3 earlier runs were left out: another kernel (2), TLS 1.2 instead of TLS 1.3 (1)',
  );
  expect(poolInWords(run)).toBe(`${pooledInWords(run)}; ${leftOutInWords(run)}`);
});

test('a difference says from how many runs it is, if not from all, and is left out if it was not pooled', () => {
  const fewer = { ...pooled, difference: { center: 18.1, lo: 17.2, hi: 19, runs: 3 } };
  expect(pooledInWords(wordsOf({ metrics: { cpu_at_load: fewer } }))).toContain(
    '+18.1 µs (+17.2 to +19.0 µs from 3 runs with a similar baseline), +43.1 %',
  );
  const { difference: _, ...without } = pooled;
  expect(pooledInWords(wordsOf({ metrics: { cpu_at_load: without } }))).toBe(
    '5 runs of this question: +43.1 % (95 % CI +42.1 to +44.1 %)',
  );
});

test('one reason needs no count', () => {
  expect(poolInWords(wordsOf({ leftOut: out('another kernel') }))).toBe(
    '1 earlier run was left out: another kernel',
  );
});

test('a difference that is not certain is its interval alone', () => {
  const ratio = { center: 1.02, lo: 0.98, hi: 1.06 };
  const metrics = { cpu_at_load: { ...pooled, ratio, outcome: 'inconclusive' as const } };
  expect(pooledInWords(wordsOf({ metrics }))).toBe('5 runs of this question: −2.0 to +6.0 % (95 % CI)');
});

test('another metric than CPU is named', () => {
  const ratio = { center: 0.71, lo: 0.7, hi: 0.72 };
  const { difference: _, ...others } = pooled;
  const throughput = { ...others, ratio };
  const words = '5 runs of this question: throughput −29.0 % (95 % CI −30.0 to −28.0 %)';
  expect(pooledInWords(wordsOf({ metrics: { throughput } }))).toBe(words);
  const both = { cpu_at_load: pooled, throughput };
  const run = { ...wordsOf({ metrics: both }), verdict: { ...verdict, metric: 'throughput' as const } };
  expect(pooledInWords(run)).toBe(words);
});

test('a run without a pool says nothing', () => {
  expect(poolInWords({ verdict, metrics: [] })).toBeNull();
  expect(poolInWords(wordsOf({}))).toBeNull();
});

/** Protects what an interval is said to rest on: its prior, what widened it, and the interval of this run alone. */

const precision: Precision = {
  ...{ center: Math.log(1.21), standardError: 0.01, degrees: 6, withinError: 0.01 },
  launches: { variance: 0.0005, bySamples: 0.0002, degrees: 4 },
  prior: { variance: 0.0005, degrees: 4, runs: 12, from: 'history' },
  isNoisierThanPast: false,
  betweenRuns: null,
  plain: { lo: Math.log(0.99), hi: Math.log(1.12) },
  widenings: [],
};
const launches = Array.from({ length: 5 }, (_, launch) => ({
  launch,
  ratio: { center: 1.21, lo: 1.2, hi: 1.22 },
  twinRatio: 1,
}));
const rowWith = (change: Partial<Precision>) => ({
  ...{ ...sampleCpu, launches },
  precision: { ...precision, ...change },
});

test('a prior is named by its runs, and the interval of this run alone is there', () => {
  expect(describePrecision(rowWith({}))).toEqual(['From 5 launches and 12 earlier runs.']);
  expect(printPlain(rowWith({}))).toBe('−1.0 to +12.0 %');
  expect(printPlain(rowWith({ plain: null }))).toBeNull();
});

test('a machine with too few earlier runs borrows what TLS Toll brings', () => {
  const prior = { variance: 0.0005, degrees: 4, runs: 0, from: 'shipped' } as const;
  expect(describePrecision(rowWith({ prior }))).toEqual([
    'From 5 launches and a typical spread, because this machine has too few earlier runs.',
  ]);
});

test('a run that is noisier than earlier ones borrows nothing and says so', () => {
  expect(describePrecision(rowWith({ prior: null, isNoisierThanPast: true }))).toEqual([
    'From 5 launches alone, which varied more than usual.',
  ]);
  expect(describePrecision(rowWith({ prior: null }))).toEqual(['From 5 launches alone.']);
});

test('whatever widened it is named with its amount', () => {
  const widenings: Precision['widenings'] = [
    { name: 'drift', by: 0.004 },
    { name: 'twin', by: 0.002 },
  ];
  expect(describePrecision(rowWith({ widenings })).at(-1)).toBe(
    'Widened by 0.4 % for drift and 0.2 % for the twin.',
  );
  const betweenRuns = { variance: 0.0001, degrees: 3, runs: 1, from: 'history' } as const;
  expect(describePrecision(rowWith({ betweenRuns })).at(-1)).toBe(
    'Includes how much runs differ from one another, by 1 earlier run.',
  );
});

test('a difference without a ratio is in its unit', () => {
  const row = {
    ...{ ...rowWith({ plain: { lo: -2, hi: 8 }, widenings: [{ name: 'drift', by: 1 }] }), ratio: null },
    delta: { center: 25, lo: 23, hi: 27 },
  };
  expect(printPlain(row)).toBe('−2 to +8 µs');
  expect(describePrecision(row).at(-1)).toBe('Widened by 1 µs for drift.');
});

test('nothing is said where nothing was noted', () => {
  expect(describePrecision(sampleCpu)).toEqual([]);
  expect(printPlain(sampleCpu)).toBeNull();
});
