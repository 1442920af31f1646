/** Protects the delta table from figures, words and marks that the run does not carry. */
import { describe, expect, test } from 'vitest';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { metricIds, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { sampleCpu } from '../../../shared/testing/sample-metric.ts';
import type { ShownUnit } from '../../format/shown-delta.ts';
import { deltaView } from './verdict-head.tsx';

const cpu: MetricComparison = {
  ...sampleCpu,
  baseline: { center: 12.3, lo: 12.1, hi: 12.5 },
  comparison: { center: 14.883, lo: 14.7, hi: 15.1 },
  delta: { center: 2.583, lo: 2.4, hi: 2.8 },
  ratio: { center: 1.21, lo: 1.198, hi: 1.222 },
  twinRatio: { center: 1.001, lo: 0.993, hi: 1.009 },
  pairs: [
    { block: 0, atMs: 0, value: 1.2, twinValue: 1.001 },
    { block: 1, atMs: 1000, value: 1.22, twinValue: 0.998 },
  ],
};

const plan = { tolerance: 0.05 } as RunDocument['plan'];

function rowOf(change: Partial<MetricComparison>, unit: ShownUnit = 'percent') {
  const { primary, others, unmeasured } = deltaView({ metrics: [{ ...cpu, ...change }], plan }, unit);
  const [row] = [...primary, ...others, ...unmeasured];
  if (row === undefined) throw new Error('one metric makes one row');
  return row;
}

describe('a row of the delta table', () => {
  test('shows sides and difference with enough digits to subtract and divide', () => {
    expect(rowOf({})).toMatchObject({
      anchor: 'm-cpu_at_load',
      baseline: '12.30 µs',
      comparison: '14.88 µs',
      difference: {
        amount: { center: '+2.58 µs', ends: '2.40 to 2.80' },
        change: { center: '+21.0 %', ends: '19.8 to 22.2' },
        isCertain: true,
      },
      look: { word: 'Costs more' },
      meaning: expect.stringMatching(/\. Less is better\.$/),
    });
    expect(rowOf({}, 'ratio').difference?.change).toEqual({ center: '×1.210', ends: '×1.198 to ×1.222' });
  });

  test('distinguishes a difference that is certainly too small to matter from a best guess', () => {
    const ratio = { center: 1.002, lo: 0.995, hi: 1.009 };
    const row = rowOf({ outcome: 'no_overhead', ratio });
    expect(row.difference).toMatchObject({
      change: { center: '+0.2 %', ends: '−0.5 to +0.9' },
      isCertain: true,
    });
    expect(row.look?.word).toBe('Within ±5 %');
    expect(rowOf({ outcome: 'inconclusive', ratio }).difference).toMatchObject({
      change: { center: '+0.2 %' },
      isCertain: false,
    });
  });

  test('shows the reason instead of a difference and a strip when it is refused', () => {
    const row = rowOf({ outcome: 'refused', reasons: ['The generator was the limit.'] });
    expect(row).toMatchObject({ difference: null, strip: null, lines: ['The generator was the limit.'] });
    expect(row.starts).toEqual([]);
  });

  test('is drawn in the selected unit, and keeps only its text without a value in it', () => {
    const { strip, starts } = rowOf({}, 'us');
    expect(strip).toMatchObject({ interval: cpu.delta, tolerance: expect.closeTo(0.05 * 12.3) });
    expect(strip?.marks).toEqual([expect.closeTo(0.2 * 12.3), expect.closeTo(0.22 * 12.3)]);
    expect(starts).toEqual(['sample 1: +2.46 µs, +20.0 %', '2: +2.71, +22.0 %', 'control: +0.01 µs, +0.1 %']);
    const throughput = rowOf({ id: 'throughput', unit: 'transactions/s' }, 'us');
    expect(throughput.strip).toBeNull();
    expect(throughput.difference).not.toBeNull();
  });

  test('summarizes many samples', () => {
    const pairs = Array.from({ length: 40 }, (_, block) => ({
      ...{ block, atMs: block, twinValue: null },
      value: 1.1 + block / 100,
    }));
    expect(rowOf({ pairs, twinRatio: null }).starts[0]).toBe('40 samples, median +3.63 µs, +29.5 %');
  });

  test('draws samples if there are no starts', () => {
    const { strip } = rowOf({ twinRatio: null });
    expect(strip?.marks.map((at) => Math.round(at * 100))).toEqual([20, 22]);
    expect(strip?.control).toBeNull();
    expect(strip?.label).toBe('Server CPU per transaction at full load: 2 samples and the interval over all');
  });

  test('draws starts next to the control', () => {
    const launches = [1.2, 1.23].map((center, launch) => ({
      launch,
      ratio: { center, lo: center - 0.01, hi: center + 0.01 },
      twinRatio: launch === 0 ? 1.002 : null,
    }));
    const ratioOfAll = { center: 1.2, lo: 1.17, hi: 1.23 };
    const { strip, notes } = rowOf({ launches, ratioOfAll });
    expect(strip?.marks).toEqual([expect.closeTo(0.2), expect.closeTo(0.23)]);
    expect(strip?.control).toEqual([expect.closeTo(-0.007), expect.closeTo(0.009)]);
    expect(strip?.label).toBe(
      'Server CPU per transaction at full load: 2 starts and the interval over all, next to the interval of the control',
    );
    expect(notes).toEqual(['Control: −0.7 to +0.9 %.', 'With nothing discarded: +17.0 to +23.0 %.']);
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
    expect(row.difference).toMatchObject({ amount: { ends: '−0.20 to +1.20' }, change: null });
    expect(row.strip).toBeNull();
    expect([row.meaning, ...row.notes].join()).not.toContain('%');
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
      difference: null,
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
  expect(axis).toEqual({ from: expect.closeTo(-0.075), to: expect.closeTo(0.222) });
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
