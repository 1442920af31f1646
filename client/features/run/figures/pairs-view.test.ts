/** Protects the differences over time: where they stand, and what setting windows aside does to them. */
import { describe, expect, test } from 'vitest';
import type { MetricComparison } from '../../../../shared/kinds/comparison/comparison.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { pairsInWords, pairsView } from './pairs-view.ts';

const labels = { baseline: 'HTTP', comparison: 'HTTPS' };
const cpu: MetricComparison = {
  id: 'cpu_at_load',
  unit: 'us',
  baseline: { center: 100, lo: 99, hi: 101 },
  comparison: { center: 121, lo: 120, hi: 122 },
  delta: { center: 21, lo: 20, hi: 22 },
  ratio: { center: 1.21, lo: 1.2, hi: 1.22 },
  twinRatio: { center: 1, lo: 0.991, hi: 1.011 },
  ratioOfAll: null,
  launches: [],
  outcome: 'overhead',
  reasons: [],
  pairs: [
    { block: 0, atMs: 10_000, value: 1.2, twinValue: 0.99 },
    { block: 0, atMs: 15_000, value: 1.25, twinValue: 1, aside: true },
    { block: 2, atMs: 20_000, value: 0.98, twinValue: null },
  ],
};

function documentOf(comparison: MetricComparison) {
  return { metrics: [comparison] } as unknown as RunDocument;
}

describe('differences over time', () => {
  test('stand where their sample began, beside the twin', () => {
    const view = pairsView(documentOf(cpu), 'cpu_at_load');
    expect(view?.points).toEqual([
      { number: 1, seconds: 10, value: expect.closeTo(0.2), twinValue: expect.closeTo(-0.01) },
      { number: 2, seconds: 20, value: expect.closeTo(-0.02), twinValue: null },
    ]);
  });

  test('are counted in words', () => {
    const view = pairsView(documentOf(cpu), 'cpu_at_load');
    if (view === null) throw new Error('the metric has pairs');
    expect(pairsInWords(view, labels)).toBe(
      'HTTPS is above HTTP in 1 of 2 samples; the twin of HTTP lies between −0.9 % and +1.1 %, which is noise',
    );
  });

  test('show the samples that were set aside, when asked to', () => {
    const view = pairsView(documentOf(cpu), 'cpu_at_load', true);
    expect(view?.points.map(({ value }) => value)).toEqual([
      ...[expect.closeTo(0.2), expect.closeTo(0.25), expect.closeTo(-0.02)],
    ]);
  });

  test('say what setting aside changed', () => {
    const ratioOfAll = { center: 1.2, lo: 1.17, hi: 1.23 };
    const view = pairsView(documentOf({ ...cpu, ratioOfAll }), 'cpu_at_load');
    expect(view?.settingAside).toBe('95 % CI +20.0 to +22.0 %; with nothing set aside +17.0 to +23.0 %');
  });

  test('in a unit have no percent and no band', () => {
    const growth: MetricComparison = {
      ...cpu,
      id: 'memory_growth',
      unit: 'bytes',
      ratio: null,
      twinRatio: null,
      pairs: [{ block: 0, atMs: 0, value: 2_500_000, twinValue: 0 }],
    };
    const view = pairsView(documentOf(growth), 'memory_growth');
    expect(view?.band).toBeNull();
    expect(view?.print(2_500_000)).toBe('+2.5 MB');
  });

  test('are not shown of a refused metric', () => {
    expect(pairsView(documentOf({ ...cpu, outcome: 'refused' }), 'cpu_at_load')).toBeNull();
  });
});
