/** Protects the words of a change: it is a cost or a saving to the user, and an uncertain center is not printed. */
import { expect, test } from 'vitest';
import type { ComparedMetric, MetricChange } from '../kinds/comparison/result-changes.ts';
import { changeShiftOf, printOverhead, wordOfChange } from './change-words.ts';

const compared: ComparedMetric = {
  id: 'cpu_at_load',
  unit: 'us',
  baseline: { center: 2400, lo: 2380, hi: 2420 },
  comparison: { center: 2832, lo: 2800, hi: 2860 },
  delta: { center: 432, lo: 400, hi: 460 },
  ratio: { center: 1.18, lo: 1.162, hi: 1.199 },
  twinRatio: null,
  ratioOfAll: null,
  launches: [],
  outcome: 'overhead',
  reasons: [],
};
const change: MetricChange = {
  id: 'cpu_at_load',
  unit: 'us',
  from: compared,
  to: compared,
  ratio: { center: 0.949, lo: 0.92, hi: 0.979 },
  delta: { center: -144, lo: -190, hi: -98 },
  outcome: 'changed',
  reasons: [],
};

test('an overhead that fell costs less, and throughput that fell costs more', () => {
  expect(wordOfChange(change, 0.05)).toBe('Costs less');
  expect(wordOfChange({ ...change, id: 'throughput' }, 0.05)).toBe('Costs more');
  expect(wordOfChange({ ...change, ratio: { center: 1.1, lo: 1.05, hi: 1.15 } }, 0.05)).toBe('Costs more');
  // Without a ratio the difference says it.
  expect(wordOfChange({ ...change, id: 'memory_growth', ratio: null }, 0.05)).toBe('Costs less');
  expect(wordOfChange({ ...change, outcome: 'no_change' }, 0.02)).toBe('Within ±2 %');
  expect(wordOfChange({ ...change, outcome: 'inconclusive' }, 0.05)).toBe('Unclear');
  expect(wordOfChange({ ...change, outcome: 'unknown' }, 0.05)).toBe('Not available');
});

test('a certain change has its center and interval, any other its interval alone', () => {
  const inPercent = { absolute: null, absoluteInterval: null };
  expect(changeShiftOf(change)).toEqual({ center: '−5.1 %', interval: '−8.0 to −2.1 %', ...inPercent });
  const ratio = { center: 1.01, lo: 0.99, hi: 1.03 };
  const open: MetricChange = { ...change, outcome: 'inconclusive', ratio };
  expect(changeShiftOf(open)).toEqual({ center: null, interval: '−1.0 to +3.0 %', ...inPercent });
  expect(changeShiftOf({ ...change, outcome: 'unknown' })).toBeNull();
});

test('a change of a difference is printed in the unit of the values', () => {
  const grown: MetricChange = {
    ...change,
    id: 'memory_growth',
    unit: 'bytes',
    ratio: null,
    delta: { center: 2_000_000, lo: 1_500_000, hi: 2_500_000 },
    from: null,
    to: { ...compared, comparison: { center: 8e6, lo: 7e6, hi: 9e6 } },
  };
  expect(changeShiftOf(grown)).toMatchObject({ center: '+2.0 MB', interval: '+1.5 to +2.5 MB' });
});

test('an overhead is its center with the interval, or the interval alone', () => {
  expect(printOverhead(compared)).toBe('+18.0 % (+16.2 to +19.9 %)');
  expect(printOverhead({ ...compared, outcome: 'inconclusive' })).toBe('+16.2 to +19.9 %');
  expect(printOverhead({ ...compared, outcome: 'refused' })).toBe('–');
  expect(printOverhead(null)).toBe('–');
});
