/** Protects the primary metrics as a fixed sequence, and exploratory ones from being many. */
import { describe, expect, test } from 'vitest';
import { type MetricId, metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { UntestedEvidence } from './decide-outcome.ts';
import { decideOutcomes } from './decide-outcomes.ts';

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
    expect(decideOutcomes([few, ...rest])[1]?.reasons.join()).toContain('was refused');
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
