/** Protects what an interval is said to rest on: its prior, what widened it, and the interval of this run alone. */

import { expect, test } from 'vitest';
import type { Precision } from '../kinds/comparison/comparison.ts';
import { sampleCpu } from '../testing/sample-metric.ts';
import { describePrecision, printPlain } from './precision-words.ts';

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
  expect(describePrecision(rowWith({}))).toEqual(['From 5 starts and 12 earlier runs.']);
  expect(printPlain(rowWith({}))).toBe('−1.0 to +12.0 %');
  expect(printPlain(rowWith({ plain: null }))).toBeNull();
});

test('a machine with too few earlier runs borrows what TLS Toll brings', () => {
  const prior = { variance: 0.0005, degrees: 4, runs: 0, from: 'shipped' } as const;
  expect(describePrecision(rowWith({ prior }))).toEqual([
    'From 5 starts and a typical spread, because this machine has too few earlier runs.',
  ]);
});

test('a run that is noisier than earlier ones borrows nothing and says so', () => {
  expect(describePrecision(rowWith({ prior: null, isNoisierThanPast: true }))).toEqual([
    'From 5 starts alone, which varied more than usual.',
  ]);
  expect(describePrecision(rowWith({ prior: null }))).toEqual(['From 5 starts alone.']);
});

test('whatever widened it is named with its amount', () => {
  const widenings: Precision['widenings'] = [
    { name: 'drift', by: 0.004 },
    { name: 'twin', by: 0.002 },
  ];
  expect(describePrecision(rowWith({ widenings })).at(-1)).toBe(
    'Widened by 0.4 % for drift and 0.2 % for the control.',
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
