/** Protects the drawing of two results: only what both know is drawn, each of them by its own launches. */
import { expect, test } from 'vitest';
import type { ComparedMetric, MetricChange } from '../../../shared/kinds/comparison/result-changes.ts';
import { drawableOf, launchRows, primaryOf, rowsOfBoth } from './figures-section.tsx';

const around = (center: number) => ({ center, lo: center - 0.02, hi: center + 0.02 });
const compared = (center: number, launches: number): ComparedMetric => ({
  id: 'cpu_at_load',
  unit: 'us',
  baseline: around(100),
  comparison: around(118),
  delta: around(18),
  ratio: around(center),
  twinRatio: around(1.001),
  ratioOfAll: null,
  launches: Array.from({ length: launches }, (_, launch) => ({
    launch,
    ratio: around(center + launch / 100),
    twinRatio: launch === 0 ? null : 1.002,
  })),
  outcome: 'overhead',
  reasons: [],
});
const change: MetricChange = {
  id: 'cpu_at_load',
  unit: 'us',
  from: compared(1.18, 2),
  to: compared(1.12, 0),
  ratio: around(0.95),
  delta: null,
  outcome: 'changed',
  reasons: [],
};

test('what one result has not, or refused, is not drawn', () => {
  const refused = { ...compared(1.1, 1), outcome: 'refused' as const };
  expect(drawableOf([change, { ...change, from: null }, { ...change, to: refused }])).toEqual([change]);
});

test('of the primary metrics, CPU before all, both results stand below each other, the first pale', () => {
  const others = [
    { ...change, id: 'throughput' as const },
    { ...change, id: 'memory_peak' as const },
  ];
  const rows = rowsOfBoth(primaryOf(drawableOf([...others, change])));
  expect(rows.map(({ name, pale = false }) => [name, pale])).toEqual([
    ['Server CPU, first', true],
    ['Server CPU, second', false],
    ['Throughput, first', true],
    ['Throughput, second', false],
  ]);
  expect(rows[0]?.interval.center).toBeCloseTo(0.18, 12);
  expect(rows[1]?.interval.lo).toBeCloseTo(0.1, 12);
});

test('each launch has a row, and a result without launches its own alone', () => {
  const [drawable] = drawableOf([change]);
  if (drawable === undefined) throw new Error('both are known');
  const rows = launchRows(drawable);
  expect(rows.map(({ name }) => name)).toEqual(['First, start 1', 'First, start 2', 'First, all', 'Second']);
  expect(rows.map(({ hollow }) => hollow?.toFixed(3) ?? null)).toEqual([null, '0.002', '0.001', '0.001']);
  expect(rows.map(({ strong = false }) => strong)).toEqual([false, false, true, true]);
});
