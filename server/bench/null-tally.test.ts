/** Protects `bench null`: how false alarms are counted over runs of equal sides. */
import { expect, test } from 'vitest';
import type { Estimate, VerdictOutcome } from '../../shared/comparison.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { type NullCondition, type NullRun, observeNull, printNull, tallyNull } from './null-tally.ts';

const holding: Estimate = { center: 1.01, lo: 0.98, hi: 1.04 };
const above: Estimate = { center: 1.06, lo: 1.02, hi: 1.1 };

function runOf(outcomes: VerdictOutcome[], ratio: Estimate | null = holding): NullRun {
  const [cpu = 'inconclusive', throughput = 'inconclusive', latency = 'inconclusive'] = outcomes;
  return {
    condition: 'calm',
    verdict: cpu,
    metrics: [
      { id: 'throughput', outcome: throughput, ratio },
      { id: 'latency_p50', outcome: latency, ratio },
      { id: 'cpu_per_transaction', outcome: cpu, ratio },
    ],
    disturbed: false,
  };
}

const counted = (condition: NullCondition, observed: NullRun) =>
  ({ planned: { condition }, outcome: 'counted', observed }) as const;
const lost = (condition: NullCondition, outcome: 'refused' | 'failed') =>
  ({ planned: { condition }, outcome, reason: 'too much noise' }) as const;

test('what a run says of the three primary metrics is taken from its document', () => {
  const document = sampleRun();
  const { verdict, metrics, disturbed } = observeNull(document, 'perturbed');
  expect(verdict).toBe(document.verdict?.outcome);
  expect(metrics.map(({ id }) => id)).toEqual(['throughput', 'latency_p50', 'cpu_per_transaction']);
  expect(metrics[2]?.ratio).toEqual(document.metrics.find(({ id }) => id === 'cpu_per_transaction')?.ratio);
  expect(disturbed).toBe(false);
});

test('more than a fifth of the blocks dropped makes a disturbed run', () => {
  const document = sampleRun();
  const reasons = [{ code: 'steal' as const, message: 'Slot 1: the machine was elsewhere.' }];
  const dropping = (count: number) => ({
    ...document,
    blocks: document.blocks.map((block, index) => ({ ...block, reasons: index < count ? reasons : [] })),
  });
  expect(document.blocks).toHaveLength(12);
  expect(observeNull(dropping(2), 'calm').disturbed).toBe(false);
  expect(observeNull(dropping(3), 'calm').disturbed).toBe(true);
});

test('overheads and intervals are counted for each condition and for all', () => {
  const { rows } = tallyNull([
    counted('calm', runOf(['no_overhead'])),
    counted('calm', runOf(['overhead'], above)),
    counted('perturbed', runOf(['inconclusive', 'overhead'])),
    lost('perturbed', 'refused'),
  ]);
  const row = (condition: string, metric: string) =>
    rows.find((each) => each.condition === condition && each.metric === metric);
  expect(row('calm', 'verdict')).toMatchObject({ runs: 2, overheads: 1, covering: null });
  expect(row('perturbed', 'verdict')).toMatchObject({ runs: 1, overheads: 0 });
  expect(row('all', 'any_primary')).toMatchObject({ runs: 3, overheads: 2 });
  expect(row('all', 'throughput')).toMatchObject({ runs: 3, overheads: 1, covering: 2 });
  expect(row('calm', 'cpu_per_transaction')).toMatchObject({ runs: 2, overheads: 1, covering: 1 });
  // One of two: 1 − √0.975 to √0.975.
  expect(row('calm', 'cpu_per_transaction')?.coveringShare?.lo).toBeCloseTo(1 - Math.sqrt(0.975), 12);
  expect(row('calm', 'cpu_per_transaction')?.medianHalfWidth).toBeCloseTo(0.035, 12);
});

test('a metric that a run refuses, or has no interval for, is not counted for that run', () => {
  const { rows } = tallyNull([
    counted('calm', runOf(['no_overhead', 'refused'])),
    counted('calm', runOf(['refused', 'refused', 'refused'], null)),
  ]);
  const runsOf = (metric: string) => rows.find((row) => row.metric === metric)?.runs;
  const metrics = ['cpu_per_transaction', 'throughput', 'verdict', 'any_primary'];
  expect(metrics.map(runsOf)).toEqual([1, 0, 1, 1]);
});

test('attempts that were refused or failed, and runs that were disturbed, are told apart', () => {
  const { losses } = tallyNull([
    counted('calm', { ...runOf([]), disturbed: true }),
    lost('calm', 'refused'),
    lost('perturbed', 'failed'),
  ]);
  expect(losses).toEqual([
    { bench: 'null', condition: 'all', counted: 1, disturbed: 1, refused: 1, failed: 1 },
    { bench: 'null', condition: 'calm', counted: 1, disturbed: 1, refused: 1, failed: 0 },
    { bench: 'null', condition: 'perturbed', counted: 0, disturbed: 0, refused: 0, failed: 1 },
  ]);
});

test('the table shows counts, shares and their intervals; nothing counted is said as such', () => {
  const { rows, losses } = tallyNull(Array.from({ length: 20 }, () => counted('calm', runOf([]))));
  const text = printNull(rows, losses);
  expect(text).toMatch(
    /^calm +Server CPU per transaction +0 of 20, 0 % \(0 to 17 %\) +20 of 20, 100 % \(83 to 100 %\) +±3\.0 %$/m,
  );
  expect(text).toMatch(/^perturbed +the verdict +none counted$/m);
  expect(text).toContain('calm: 20 runs counted, 0 of them disturbed; 0 refused and 0 failed do not count.');
});
