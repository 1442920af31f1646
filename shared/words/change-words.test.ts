/** Protects the words of a change: it is a cost or a saving to the user, and an uncertain center is not printed. */
import { expect, test } from 'vitest';
import type { ComparedMetric, MetricChange } from '../kinds/comparison/result-changes.ts';
import { printMetricChange, wordOfChange } from './change-words.ts';

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

test('a change is printed in the unit and in points, and each result in the digits of what changed', () => {
  const to = {
    ...compared,
    delta: { center: 288, lo: 262, hi: 314 },
    ratio: { center: 1.12, lo: 1.1, hi: 1.14 },
  };
  expect(printMetricChange({ ...change, to })).toMatchObject({
    halves: [
      { amount: '+432 µs', change: '+18 %' },
      { amount: '+288 µs', change: '+12 %' },
    ],
    amount: { signed: '−144 µs', ends: '−190 to −98' },
    points: { signed: '−6 points', ends: '−9 to −3' },
  });
});

test('a result without the metric has no figure, and the other its own', () => {
  const unknown: MetricChange = { ...change, from: null, ratio: null, delta: null, outcome: 'unknown' };
  expect(printMetricChange(unknown)).toEqual({
    halves: [null, { amount: '+0.432 ms', change: '+18.0 %' }],
    ...{ amount: null, points: null },
  });
});
