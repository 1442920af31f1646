/** Protects the word for a comparison: overhead, no overhead, inconclusive or refused. */
import { describe, expect, test } from 'vitest';
import { metricOf } from '../../shared/metric.ts';
import type { PairedComparison } from './compare-paired.ts';
import { decideOutcome } from './decide-outcome.ts';

function comparisonWith(center: number, lo: number, hi: number): PairedComparison {
  const ratio = { center: 1 + center, lo: 1 + lo, hi: 1 + hi };
  const delta = { center: 100 * center, lo: 100 * lo, hi: 100 * hi };
  return { ratio, delta, perBlock: new Array(8).fill(1 + center), pValue: 0.01 };
}

function decide(
  shift: [number, number, number],
  facts: { floor?: number; adjustedP?: number | null; id?: 'throughput' } = {},
) {
  return decideOutcome({
    metric: metricOf(facts.id ?? 'cpu_per_transaction'),
    comparison: comparisonWith(...shift),
    floor: facts.floor ?? 0.01,
    adjustedP: facts.adjustedP ?? null,
    refusals: [],
  });
}

describe('overhead', () => {
  test('is an interval without no difference and a centre beyond the floor', () => {
    expect(decide([0.21, 0.2, 0.22])).toEqual({ outcome: 'overhead', reasons: [] });
  });
  test('is lost throughput as well', () => {
    expect(decide([-0.16, -0.19, -0.13], { id: 'throughput' })).toEqual({ outcome: 'overhead', reasons: [] });
  });
  test('may be negative, and then says what to check', () => {
    const { outcome, reasons } = decide([-0.05, -0.06, -0.04]);
    expect(outcome).toBe('overhead');
    expect(reasons.join()).toContain('compression');
    expect(decide([0.05, 0.04, 0.06], { id: 'throughput' }).reasons.join()).toContain('compression');
  });
  test('is withheld when the family of primary metrics does not bear it', () => {
    const { outcome, reasons } = decide([0.21, 0.2, 0.22], { adjustedP: 0.06 });
    expect(outcome).toBe('inconclusive');
    expect(reasons.join()).toContain('together');
  });
});

describe('no overhead', () => {
  test('is a centre within the floor, though the interval reaches a little beyond', () => {
    expect(decide([0.005, -0.008, 0.018])).toEqual({ outcome: 'no_overhead', reasons: [] });
  });
  test('is also a small change that is beyond doubt', () => {
    expect(decide([0.006, 0.005, 0.007]).outcome).toBe('no_overhead');
  });
  test('is not said of an interval wider than four floors', () => {
    const { outcome, reasons } = decide([0.005, -0.02, 0.03]);
    expect(outcome).toBe('inconclusive');
    expect(reasons.join()).toContain('1.0 %');
  });
  test('is not said when even ten percent could not be told from noise', () => {
    const { outcome, reasons } = decide([0.02, -0.1, 0.12], { floor: 0.15 });
    expect(outcome).toBe('inconclusive');
    expect(reasons.join()).toContain('15 %');
  });
  test('of differences is not said when their floor is of no use either', () => {
    const tiny = { center: 1, lo: -20, hi: 20 };
    const comparison = { ratio: null, delta: tiny, perBlock: new Array(8).fill(1), pValue: 1 };
    const metric = metricOf('memory_growth');
    const evidence = { metric, comparison, floor: 30, adjustedP: null, refusals: [] };
    expect(decideOutcome(evidence).outcome).toBe('no_overhead');
    expect(decideOutcome({ ...evidence, usefulFloor: 25 }).outcome).toBe('inconclusive');
  });
  test('of differences takes a floor in their unit, zero too', () => {
    const zero = { center: 0, lo: 0, hi: 0 };
    const comparison = { ratio: null, delta: zero, perBlock: new Array(8).fill(0), pValue: 1 };
    const metric = metricOf('disk_bytes_per_s');
    expect(decideOutcome({ metric, comparison, floor: 0, adjustedP: null, refusals: [] }).outcome).toBe(
      'no_overhead',
    );
  });
});

test('a centre beyond the floor with no difference inside its interval is inconclusive', () => {
  expect(decide([0.02, -0.01, 0.05]).outcome).toBe('inconclusive');
});

describe('a refusal', () => {
  test('stands before every word', () => {
    const refusals = ['The load generator was the limit.'];
    const evidence = {
      metric: metricOf('throughput'),
      comparison: comparisonWith(0.2, 0.1, 0.3),
      floor: 0.01,
      adjustedP: null,
      refusals,
    };
    expect(decideOutcome(evidence)).toEqual({ outcome: 'refused', reasons: refusals });
  });
  test('is what too few blocks get, with their number', () => {
    const comparison = { ratio: null, delta: null, perBlock: [1, 1, 1], pValue: 0.25 };
    const { outcome, reasons } = decideOutcome({
      metric: metricOf('latency_p50'),
      comparison,
      floor: 0.01,
      adjustedP: null,
      refusals: [],
    });
    expect(outcome).toBe('refused');
    expect(reasons).toEqual(['Only 3 of the blocks kept hold this metric; an interval needs 6.']);
  });
});
