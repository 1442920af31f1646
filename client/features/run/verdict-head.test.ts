/** Protects the delta table from figures, words and marks that the run does not carry. */
import { describe, expect, test } from 'vitest';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { metricIds, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { deltaView } from './verdict-head.tsx';

const cpu: MetricComparison = {
  id: 'cpu_at_load',
  unit: 'us',
  baseline: { center: 12.3, lo: 12.1, hi: 12.5 },
  comparison: { center: 14.9, lo: 14.7, hi: 15.1 },
  delta: { center: 2.6, lo: 2.4, hi: 2.8 },
  ratio: { center: 1.21, lo: 1.198, hi: 1.222 },
  twinRatio: { center: 1.001, lo: 0.993, hi: 1.009 },
  ratioOfAll: null,
  launches: [],
  outcome: 'overhead',
  reasons: [],
  pairs: [
    { block: 0, atMs: 0, value: 1.2, twinValue: 1.001 },
    { block: 1, atMs: 1000, value: 1.22, twinValue: 0.998 },
  ],
};

const plan = { tolerance: 0.05 } as RunDocument['plan'];

function rowOf(change: Partial<MetricComparison>) {
  const { primary, others, unmeasured } = deltaView({ metrics: [{ ...cpu, ...change }], plan });
  const [row] = [...primary, ...others, ...unmeasured];
  if (row === undefined) throw new Error('one metric makes one row');
  return row;
}

describe('a row of the delta table', () => {
  test('shows both sides, the shift and its interval with the same digits', () => {
    expect(rowOf({})).toMatchObject({
      anchor: 'm-cpu_at_load',
      baseline: '12.3 µs',
      comparison: '14.9 µs',
      shift: { center: '+21.0 %', interval: '+19.8 to +22.2 %', absolute: '+2.6 µs' },
      look: { word: 'Costs more' },
      meaning: expect.stringMatching(/\. Less is better\.$/),
    });
  });

  test('prints the figure of a difference that is certainly too little to matter, and no other uncertain one', () => {
    const ratio = { center: 1.002, lo: 0.995, hi: 1.009 };
    const row = rowOf({ outcome: 'no_overhead', ratio });
    expect(row.shift).toMatchObject({ center: '+0.2 %', interval: '−0.5 to +0.9 %' });
    expect(row.look.word).toBe('Within ±5 %');
    expect(rowOf({ outcome: 'inconclusive', ratio }).shift).toMatchObject({ center: null, absolute: null });
  });

  test('prints no shift and draws no strip when it is refused, but says why', () => {
    const row = rowOf({ outcome: 'refused', reasons: ['The generator was the limit.'] });
    expect(row).toMatchObject({ shift: null, strip: null, lines: ['The generator was the limit.'] });
    expect(row.baseline).toBe('12.3 µs');
  });

  test('draws the samples where there are no launches', () => {
    const { strip } = rowOf({ twinRatio: null });
    expect(strip?.marks.map((at) => Math.round(at * 100))).toEqual([20, 22]);
    expect(strip?.twin).toBeNull();
    expect(strip?.label).toBe('Server CPU per transaction at full load: 2 samples and the interval over all');
  });

  test('draws launches beside the twin', () => {
    const launches = [1.2, 1.23].map((center, launch) => ({
      launch,
      ratio: { center, lo: center - 0.01, hi: center + 0.01 },
      twinRatio: launch === 0 ? 1.002 : null,
    }));
    const ratioOfAll = { center: 1.2, lo: 1.17, hi: 1.23 };
    const { strip, meaning } = rowOf({ launches, ratioOfAll });
    expect(strip?.marks).toEqual([expect.closeTo(0.2), expect.closeTo(0.23)]);
    expect(strip?.twin).toEqual([expect.closeTo(-0.007), expect.closeTo(0.009)]);
    expect(strip?.label).toBe(
      'Server CPU per transaction at full load: 2 launches and the interval over all, beside the interval of the twin',
    );
    expect(meaning).toMatch(
      / Less is better\. Twin: −0\.7 to \+0\.9 %\. With nothing set aside: \+17\.0 to \+23\.0 %\.$/,
    );
  });

  test('of a difference is in the unit of its metric and has no percentage', () => {
    const row = rowOf({
      id: 'memory_growth',
      unit: 'bytes',
      baseline: { center: 1_000_000, lo: 0, hi: 2_000_000 },
      comparison: { center: 1_500_000, lo: 0, hi: 2_000_000 },
      delta: { center: 500_000, lo: -200_000, hi: 1_200_000 },
      ratio: null,
      outcome: 'inconclusive',
    });
    expect(row.shift?.interval).toBe('−0.20 to +1.20 MB');
    expect(row.strip).toBeNull();
    expect(row.meaning).not.toContain('%');
  });

  test('without a value on either side is empty and keeps its reasons', () => {
    const row = rowOf({
      baseline: null,
      comparison: null,
      delta: null,
      ratio: null,
      pairs: [],
      outcome: 'refused',
      reasons: ['This platform has no /proc.'],
    });
    expect(row).toMatchObject({
      baseline: null,
      comparison: null,
      shift: null,
      lines: ['This platform has no /proc.'],
    });
  });
});

test('what the verdict rests on comes first, then what has a figure, and what has none', () => {
  const metrics = metricIds.map((id) => ({
    ...{ ...cpu, id, unit: metricOf(id).unit },
    outcome: id.startsWith('memory') ? ('refused' as const) : cpu.outcome,
  }));
  const { primary, others, unmeasured, axis } = deltaView({ metrics, plan });
  const idsOf = (rows: typeof primary) => rows.map(({ id }) => id);
  expect(idsOf(primary)).toEqual(['cpu_at_load', 'throughput', 'latency_p50']);
  expect(idsOf(unmeasured)).toEqual(['memory_growth', 'memory_peak']);
  expect(idsOf(others)).not.toContain('transactions_per_10_min');
  expect(primary.length + others.length + unmeasured.length).toBe(metricIds.length - 1);
  expect(axis).toEqual({ from: expect.closeTo(-0.1), to: expect.closeTo(0.3) });
});

test('a reason to be inconclusive stands once, a problem on each row', () => {
  const reasonsWith = (outcome: MetricComparison['outcome']) => {
    const metrics = (['latency_p50', 'latency_p90', 'memory_peak'] as const).map((id) => ({
      ...{ ...cpu, id, outcome, reasons: ['Too wide.'] },
    }));
    const { primary, others, unmeasured } = deltaView({ metrics, plan });
    return [...primary, ...others, ...unmeasured].map(({ lines }) => lines.length);
  };
  expect(reasonsWith('inconclusive')).toEqual([1, 0, 0]);
  expect(reasonsWith('refused')).toEqual([1, 1, 1]);
});
