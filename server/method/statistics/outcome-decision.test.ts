/** Protects the primary metrics as a fixed sequence, and exploratory ones from being many. */

import { describe, expect, test } from 'vitest';
import { type MetricId, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import {
  benjaminiHochberg,
  decideOutcome,
  decideOutcomes,
  holm,
  type UntestedEvidence,
  type Withheld,
} from './outcome-decision.ts';

type Facts = Partial<Pick<UntestedEvidence, 'refusals' | 'measured' | 'shift' | 'narrowShift'>>;

/** Evidence whose interval excludes no difference at 95 % where p is at most 5 %. */
function evidenceOf(id: MetricId, pValue: number, facts: Facts = {}): UntestedEvidence {
  const shift = { center: 0.1, lo: pValue <= 0.05 ? 0.001 : -0.01, hi: 0.2 };
  return { metric: metricOf(id), shift, narrowShift: shift, tolerance: 0.05, pValue, refusals: [], ...facts };
}

const outcomes = (evidence: UntestedEvidence[]) => decideOutcomes(evidence).map(({ outcome }) => outcome);
const sequence = ['cpu_at_load', 'throughput', 'latency_p50'] as const;
const ofSequence = (...pValues: number[]) =>
  outcomes(sequence.map((id, index) => evidenceOf(id, pValues[index] ?? 1)));
const small = { center: 0.01, lo: -0.01, hi: 0.03 };
const within = { shift: small, narrowShift: small };

describe('the primary metrics', () => {
  test('are tested in their order at 4 % each, without a correction', () => {
    expect(ofSequence(0.04, 0.04, 0.04)).toEqual(['overhead', 'overhead', 'overhead']);
    expect(ofSequence(0.04, 0.2, 0.0001)).toEqual(['overhead', 'inconclusive', 'not_tested']);
    expect(ofSequence(0.2, 0.0001, 0.0001)).toEqual(['inconclusive', 'not_tested', 'not_tested']);
  });
  test('are tested in that order wherever they stand in the table, or in another that is given', () => {
    const [cpu, throughput] = [evidenceOf(sequence[0], 0.01), evidenceOf(sequence[1], 0.2)];
    expect(outcomes([throughput, cpu])).toEqual(['inconclusive', 'overhead']);
    expect(decideOutcomes([throughput, cpu], ['throughput'])[1]?.outcome).toBe('not_tested');
  });
  test('do not part the word from the 95 % interval where p is between 4 and 5 %: it is said, and the sequence ends', () => {
    expect(ofSequence(0.045, 0.0001, 0.0001)).toEqual(['overhead', 'not_tested', 'not_tested']);
  });
  test('go on after a certain difference that is too little to matter', () => {
    const certain = { center: 0.01, lo: 0.005, hi: 0.015 };
    const first = evidenceOf(sequence[0], 0.001, { shift: certain, narrowShift: certain });
    expect(outcomes([first, evidenceOf(sequence[1], 0.01)])).toEqual(['no_overhead', 'overhead']);
  });
  test('after a stop may still be within the tolerance', () => {
    const third = evidenceOf(sequence[2], 0.3, within);
    expect(outcomes([evidenceOf(sequence[0], 0.2), evidenceOf(sequence[1], 0.01), third])).toEqual([
      ...['inconclusive', 'not_tested', 'no_overhead'],
    ]);
  });
  test('say why one was not tested', () => {
    const [, second] = decideOutcomes([evidenceOf(sequence[0], 0.2), evidenceOf(sequence[1], 0.01)]);
    expect(second?.reasons.join()).toContain('no certain difference');
  });
});

describe('losing data makes nothing pass', () => {
  const refusals = ['No.'];
  const rest = [evidenceOf(sequence[1], 0.01), evidenceOf(sequence[2], 0.01)];
  test('when a metric is refused that was measured, with an interval or without', () => {
    const refused = evidenceOf(sequence[0], 0.01, { refusals });
    expect(outcomes([refused, ...rest])).toEqual(['refused', 'not_tested', 'not_tested']);
    const few = evidenceOf(sequence[0], 1, { shift: null, narrowShift: null, refusals, measured: true });
    expect(outcomes([few, ...rest])).toEqual(['refused', 'not_tested', 'not_tested']);
    expect(decideOutcomes([few, ...rest])[1]?.reasons.join()).toContain('is not available');
  });
  test('but one that this run cannot measure is not in the sequence', () => {
    const absent = evidenceOf(sequence[0], 1, { shift: null, narrowShift: null, refusals });
    expect(outcomes([absent, ...rest])).toEqual(['refused', 'overhead', 'overhead']);
    const said = evidenceOf(sequence[0], 1, { refusals, measured: false });
    expect(outcomes([said, ...rest])).toEqual(['refused', 'overhead', 'overhead']);
  });
});

describe('transactions in 10 minutes are throughput in other words', () => {
  const restated = evidenceOf('transactions_per_10_min', 0.001);
  test('so they get its word and its reasons', () => {
    const decisions = decideOutcomes([evidenceOf('throughput', 0.2), restated]);
    expect(decisions[1]).toEqual(decisions[0]);
    expect(outcomes([evidenceOf(sequence[0], 0.3), evidenceOf(sequence[1], 0.01), restated])).toEqual([
      ...['inconclusive', 'not_tested', 'not_tested'],
    ]);
  });
  test('but what refuses them stands, and alone they are exploratory', () => {
    expect(outcomes([evidenceOf('throughput', 0.001), { ...restated, refusals: ['No.'] }])).toEqual([
      ...['overhead', 'refused'],
    ]);
    expect(outcomes([restated])).toEqual(['overhead']);
  });
});

describe('exploratory metrics', () => {
  test('claim a difference past Benjamini and Hochberg at 1 %: of four, 0.0025, 0.005 and 0.0075', () => {
    const ids = ['latency_p90', 'ttfb_p50', 'memory_peak', 'cpu_utilization'] as const;
    const explored = (...pValues: number[]) =>
      outcomes(ids.map((id, index) => evidenceOf(id, pValues[index] ?? 1)));
    expect(explored(0.0025, 0.005, 0.0075, 0.04)).toEqual([
      ...['overhead', 'overhead', 'overhead', 'inconclusive'],
    ]);
    expect(explored(0.003, 0.006, 0.02, 0.04)).toEqual(new Array(4).fill('inconclusive'));
  });
  test('never claim one that their 95 % interval holds to be none', () => {
    const shift = { center: 0.1, lo: -0.001, hi: 0.2 };
    expect(outcomes([evidenceOf('latency_p90', 1e-6, { shift, narrowShift: shift })])).toEqual([
      'inconclusive',
    ]);
  });
  test('that are refused do not count among the many', () => {
    const refused = Array.from({ length: 9 }, () =>
      evidenceOf('ttfb_p50', 1, { shift: null, narrowShift: null, refusals: ['No.'] }),
    );
    expect(outcomes([evidenceOf('latency_p90', 0.009), ...refused])[0]).toBe('overhead');
  });
  test('say in a sentence why not', () => {
    const [decision] = decideOutcomes([evidenceOf('latency_p90', 0.04)]);
    expect(decision?.reasons.join()).toContain('exploratory');
  });
});

/** Protects the correction of Benjamini and Hochberg, against R’s. */

test('the adjusted p-values are those of R', () => {
  // R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.6), "BH"); also scipy 1.17.1, stats.false_discovery_control.
  const adjusted = benjaminiHochberg([0.01, 0.04, 0.03, 0.005, 0.6]);
  [0.025, 0.05, 0.05, 0.025, 0.6].forEach((expected, index) => {
    expect(adjusted[index]).toBeCloseTo(expected, 12);
  });
});

test('one that stands alone is left as it is, and none is above 1', () => {
  expect(benjaminiHochberg([0.2])).toEqual([0.2]);
  expect(benjaminiHochberg([1, 1])).toEqual([1, 1]);
  expect(benjaminiHochberg([])).toEqual([]);
});

/** Protects the word for a comparison: within the tolerance, overhead, inconclusive, not tested or refused. */

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

/** Protects Holm’s correction of p-values. */

test('the smallest p-value is multiplied by the family, the next by one less, and none may fall below the one before', () => {
  // 0.01·3, 0.03·2, max(0.04·1, 0.06)
  expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
});

test('an adjusted p-value stays at or below 1', () => {
  expect(holm([0.6, 0.9])).toEqual([1, 1]);
});

test('a test that stands alone is left as it is', () => {
  expect(holm([0.04])).toEqual([0.04]);
  expect(holm([])).toEqual([]);
});
