/** Protects the word for a comparison: overhead, no overhead, inconclusive or refused. */
import { describe, expect, test } from 'vitest';
import { metricOf } from '../../shared/metric.ts';
import { decideOutcome } from './decide-outcome.ts';

type Interval = [center: number, lo: number, hi: number];

function decide(
  shift: Interval,
  facts: { narrow?: Interval; tolerance?: number; adjustedP?: number | null; id?: 'throughput' } = {},
) {
  const of = ([center, lo, hi]: Interval) => ({ center, lo, hi });
  return decideOutcome({
    metric: metricOf(facts.id ?? 'cpu_at_load'),
    shift: of(shift),
    narrowShift: of(facts.narrow ?? shift),
    tolerance: facts.tolerance ?? 0.05,
    adjustedP: facts.adjustedP ?? null,
    refusals: [],
  });
}

describe('overhead', () => {
  test('is an interval that excludes no difference', () => {
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
  test('is a 90 % interval within the tolerance, though the wider one reaches a little beyond', () => {
    expect(decide([0.01, -0.034, 0.054], { narrow: [0.01, -0.025, 0.045] })).toEqual({
      outcome: 'no_overhead',
      reasons: [],
    });
  });
  test('is not said when the 90 % interval reaches beyond the tolerance on either side', () => {
    expect(decide([0.02, -0.02, 0.06]).outcome).toBe('inconclusive');
    expect(decide([-0.02, -0.06, 0.02]).outcome).toBe('inconclusive');
    expect(decide([0.02, -0.02, 0.06], { tolerance: 0.1 }).outcome).toBe('no_overhead');
  });
  test('is never said of an interval that excludes no difference, whatever the family says of it', () => {
    // Centre +9.8 %, interval +2 to +29.8 %: this was "No overhead above 30 %" once.
    for (const tolerance of [0.05, 0.15, 0.4]) {
      expect(decide([0.098, 0.02, 0.298], { tolerance, adjustedP: 0.0003 }).outcome).toBe('overhead');
      expect(decide([0.098, 0.02, 0.298], { tolerance, adjustedP: 0.2 }).outcome).toBe('inconclusive');
    }
    expect(decide([0.006, 0.005, 0.007], { adjustedP: 0.2 }).outcome).toBe('inconclusive');
  });
  test('of differences takes a tolerance in their unit', () => {
    expect(decide([0, 0, 0], { tolerance: 1000 }).outcome).toBe('no_overhead');
    expect(decide([100, -800, 1000], { tolerance: 1000 }).outcome).toBe('no_overhead');
    expect(decide([100, -800, 1001], { tolerance: 1000 }).outcome).toBe('inconclusive');
  });
});

test('everything else is inconclusive, and says what would help', () => {
  const { outcome, reasons } = decide([0.02, -0.04, 0.08]);
  expect(outcome).toBe('inconclusive');
  expect(reasons.join()).toContain('too wide');
});

describe('a refusal', () => {
  const evidence = {
    metric: metricOf('throughput'),
    tolerance: 0.05,
    adjustedP: null,
    shift: { center: 0.2, lo: 0.1, hi: 0.3 },
    narrowShift: { center: 0.2, lo: 0.12, hi: 0.28 },
  };
  test('stands before every word', () => {
    const refusals = ['The load generator was the limit.'];
    expect(decideOutcome({ ...evidence, refusals })).toEqual({ outcome: 'refused', reasons: refusals });
  });
  test('is what a metric without an interval gets', () => {
    const refusals = ['One block holds this metric.'];
    expect(decideOutcome({ ...evidence, shift: null, narrowShift: null, refusals })).toEqual({
      outcome: 'refused',
      reasons: refusals,
    });
  });
});
