/** Protects the primary metrics as one family under Holm’s correction, whichever of them is missing. */
import { describe, expect, test } from 'vitest';
import { type MetricId, metricOf } from '../../shared/metric.ts';
import { decideOutcomes, type UntestedEvidence } from './decide-outcomes.ts';

/** Evidence whose interval excludes no difference. */
function evidenceOf(id: MetricId, pValue: number, refusals: string[] = []): UntestedEvidence {
  const shift = { center: 0.1, lo: 0.001, hi: 0.2 };
  return { metric: metricOf(id), shift, narrowShift: shift, tolerance: 0.05, pValue, refusals };
}

const outcomes = (evidence: UntestedEvidence[]) => decideOutcomes(evidence).map(({ outcome }) => outcome);
const primaries = ['throughput', 'latency_p50', 'cpu_at_load'] as const;

test('three metrics pass together where Holm’s steps allow it: 3 · 0.016, 2 · 0.02 and 0.04', () => {
  const [first, second, third] = [0.016, 0.02, 0.04];
  expect(
    outcomes([
      evidenceOf(primaries[0], first),
      evidenceOf(primaries[1], second),
      evidenceOf(primaries[2], third),
    ]),
  ).toEqual(['overhead', 'overhead', 'overhead']);
});

test('transactions in 10 minutes are throughput in other words, so they get its word', () => {
  const evidence = primaries.map((id) => evidenceOf(id, 0.03));
  expect(outcomes([...evidence, evidenceOf('transactions_per_10_min', 0.03)]).at(-1)).toBe('inconclusive');
  expect(outcomes([evidenceOf('transactions_per_10_min', 0.03)])).toEqual(['overhead']);
});

test('three times p = 0.03 is none', () => {
  expect(outcomes(primaries.map((id) => evidenceOf(id, 0.03)))).toEqual(new Array(3).fill('inconclusive'));
});

describe('losing data makes nothing pass', () => {
  const [throughput, latency, cpu] = primaries.map((id) => evidenceOf(id, 0.03));
  if (throughput === undefined || latency === undefined || cpu === undefined) throw new Error('three');
  test('when a metric is refused', () => {
    const refused = { ...latency, refusals: ['Two identical launches differ.'] };
    expect(outcomes([throughput, refused, cpu])).toEqual(['inconclusive', 'refused', 'inconclusive']);
  });
  test('when nothing holds it', () => {
    const absent = { ...latency, shift: null, narrowShift: null, refusals: ['Nothing was measured.'] };
    expect(outcomes([throughput, absent, cpu])).toEqual(['inconclusive', 'refused', 'inconclusive']);
  });
  test('though what is beyond doubt passes alone', () => {
    const refused = [throughput, latency].map((one) => ({ ...one, refusals: ['No.'] }));
    expect(outcomes([...refused, { ...cpu, pValue: 0.016 }])[2]).toBe('overhead');
    expect(outcomes([...refused, { ...cpu, pValue: 0.017 }])[2]).toBe('inconclusive');
  });
});

test('metrics that are not primary are not corrected', () => {
  const family = primaries.map((id) => evidenceOf(id, 0.03));
  expect(
    outcomes([...family, evidenceOf('latency_p90', 0.04), evidenceOf('ttfb_p50', 0.04)]).slice(3),
  ).toEqual(['overhead', 'overhead']);
});
