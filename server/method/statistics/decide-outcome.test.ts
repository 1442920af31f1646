/** Protects the word for a comparison: within the tolerance, overhead, inconclusive, not tested or refused. */
import { describe, expect, test } from 'vitest';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import { decideOutcome, type Withheld } from './decide-outcome.ts';

type Interval = [center: number, lo: number, hi: number];
const of = ([center, lo, hi]: Interval) => ({ center, lo, hi });

function decide(
  shift: Interval,
  facts: {
    narrow?: Interval;
    tolerance?: number;
    withheld?: Withheld;
    id?: 'throughput';
    mustCost?: boolean;
  } = {},
) {
  return decideOutcome({
    metric: metricOf(facts.id ?? 'cpu_at_load'),
    shift: of(shift),
    narrowShift: of(facts.narrow ?? shift),
    tolerance: facts.tolerance ?? 0.05,
    pValue: 0.5,
    withheld: facts.withheld ?? null,
    refusals: [],
    mustCost: facts.mustCost ?? false,
  });
}

const byChance: Withheld = { outcome: 'inconclusive', reason: 'By chance.' };
const notTested: Withheld = { outcome: 'not_tested', reason: 'Not tested.' };

describe('overhead', () => {
  test('is an interval that excludes no difference', () => {
    expect(decide([0.21, 0.2, 0.22])).toEqual({ outcome: 'overhead', reasons: [] });
  });
  test('is lost throughput as well', () => {
    expect(decide([-0.16, -0.19, -0.13], { id: 'throughput' })).toEqual({ outcome: 'overhead', reasons: [] });
  });
  test('may be negative, and then says what to check', () => {
    const { outcome, reasons } = decide([-0.06, -0.07, -0.05], { mustCost: true });
    expect(outcome).toBe('overhead');
    expect(reasons.join()).toContain('compression');
    const faster = decide([0.06, 0.05, 0.07], { id: 'throughput', mustCost: true });
    expect(faster.reasons.join()).toContain('compression');
    expect(decide([-0.06, -0.07, -0.05]).reasons, 'where either side may cost more').toEqual([]);
  });
  test('is withheld with its reason, however far the interval is from nothing', () => {
    expect(decide([0.21, 0.2, 0.22], { withheld: byChance })).toEqual({
      outcome: 'inconclusive',
      reasons: ['By chance.'],
    });
    expect(decide([0.21, 0.2, 0.22], { withheld: notTested })).toEqual({
      outcome: 'not_tested',
      reasons: ['Not tested.'],
    });
  });
});

describe('within the tolerance', () => {
  const within = { outcome: 'no_overhead', reasons: [] };
  test('is a 90 % interval within it, though the wider one reaches a little beyond', () => {
    expect(decide([0.01, -0.034, 0.054], { narrow: [0.01, -0.025, 0.045] })).toEqual(within);
  });
  test('comes before overhead: a certain 0.6 % is too little to matter', () => {
    expect(decide([0.006, 0.005, 0.007])).toEqual(within);
    expect(decide([0.006, 0.005, 0.007], { tolerance: 0.006 }).outcome).toBe('overhead');
  });
  test('may always be said, whatever is withheld', () => {
    expect(decide([0.006, -0.005, 0.007], { withheld: byChance })).toEqual(within);
    expect(decide([0.006, 0.005, 0.007], { withheld: notTested })).toEqual(within);
  });
  test('is not said when the 90 % interval reaches beyond the tolerance on either side', () => {
    expect(decide([0.02, -0.02, 0.06]).outcome).toBe('inconclusive');
    expect(decide([-0.02, -0.06, 0.02]).outcome).toBe('inconclusive');
    expect(decide([0.02, -0.02, 0.06], { tolerance: 0.1 }).outcome).toBe('no_overhead');
    // This was "No overhead above 30 %" once.
    expect(decide([0.098, 0.02, 0.298]).outcome).toBe('overhead');
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
  expect(decide([0.02, -0.04, 0.08], { withheld: byChance }).reasons.join()).toContain('too wide');
});

describe('a refusal', () => {
  const evidence = {
    metric: metricOf('throughput'),
    tolerance: 0.05,
    pValue: 0.001,
    withheld: notTested,
    shift: { center: 0.02, lo: 0.01, hi: 0.03 },
    narrowShift: { center: 0.02, lo: 0.012, hi: 0.028 },
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
