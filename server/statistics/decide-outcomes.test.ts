/** Protects the primary metrics as a family: Holm’s correction decides where blocks suffice. */
import { expect, test } from 'vitest';
import { type MetricId, metricOf } from '../../shared/metric.ts';
import { comparePaired } from './compare-paired.ts';
import { decideOutcomes } from './decide-outcomes.ts';

/** Evidence whose blocks change by 20 % to 26 %, but for those that are named. */
function evidenceOf(id: MetricId, blocks: number, others: Record<number, number> = {}) {
  const pairs = Array.from({ length: blocks }, (_, block) => ({
    a: [100],
    b: [120 + (others[block] ?? block * 0.7)],
  }));
  return { metric: metricOf(id), comparison: comparePaired(pairs, 'ratio'), floor: 0.01, refusals: [] };
}

const outcomes = (evidence: ReturnType<typeof evidenceOf>[]) =>
  decideOutcomes(evidence).map(({ outcome }) => outcome);
const primary = (blocks: number) =>
  (['throughput', 'latency_p50', 'cpu_per_transaction'] as const).map((id) => evidenceOf(id, blocks));

test('seven blocks can pass Holm’s correction over three metrics: 3·2/2⁷ is 0.047', () => {
  expect(outcomes(primary(7))).toEqual(['overhead', 'overhead', 'overhead']);
});

test('six blocks never could, so there the noise floor decides alone', () => {
  expect(outcomes(primary(6))).toEqual(['overhead', 'overhead', 'overhead']);
});

test('metrics that pass alone but not as a family are inconclusive, and do not take the others with them', () => {
  // One of seven blocks is against it at the smallest rank: p = 4/128, for two such metrics 8/128 together.
  const doubtful = (id: MetricId) => evidenceOf(id, 7, { 0: -20.1 });
  expect(
    outcomes([evidenceOf('throughput', 7), doubtful('latency_p50'), doubtful('cpu_per_transaction')]),
  ).toEqual(['overhead', 'inconclusive', 'inconclusive']);
  expect(outcomes([doubtful('latency_p50')])).toEqual(['overhead']);
});

test('metrics that are not primary are not corrected', () => {
  expect(outcomes([...primary(7), evidenceOf('latency_p90', 7), evidenceOf('ttfb_p50', 6)]).slice(3)).toEqual(
    ['overhead', 'overhead'],
  );
});
