/** Protects the count of false alarms: what counts as said, what as refused, and its exact bounds. */
import { expect, test } from 'vitest';
import type { Estimate, VerdictOutcome } from '../../shared/kinds/comparison/comparison.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { type NullCondition, type NullRun, observeNull, printNull, tallyNull } from './null-tally.ts';

const holding: Estimate = { center: 1.01, lo: 0.98, hi: 1.04 };
const above: Estimate = { center: 1.06, lo: 1.02, hi: 1.1 };

function runOf(outcomes: VerdictOutcome[], ratio: Estimate | null = holding): NullRun {
  const [cpu = 'inconclusive', throughput = 'inconclusive', latency = 'inconclusive'] = outcomes;
  return {
    verdict: cpu,
    metrics: [
      { id: 'throughput', outcome: throughput, ratio },
      { id: 'latency_p50', outcome: latency, ratio },
      { id: 'cpu_at_load', outcome: cpu, ratio },
    ],
  };
}

const counted = (condition: NullCondition, observed: NullRun) =>
  ({ planned: { condition }, outcome: 'counted', observed }) as const;
const lost = (condition: NullCondition, outcome: 'refused' | 'failed') =>
  ({ planned: { condition }, outcome, reason: 'too much noise' }) as const;

test('what a run says of the three primary metrics is taken from its document', () => {
  const document = sampleRun();
  const { verdict, metrics } = observeNull(document);
  expect(verdict).toBe(document.verdict?.outcome);
  expect(metrics.map(({ id }) => id)).toEqual(['throughput', 'latency_p50', 'cpu_at_load']);
  expect(metrics[2]?.ratio).toEqual(document.metrics.find(({ id }) => id === 'cpu_at_load')?.ratio);
});

test('words and intervals are counted for each condition and for all', () => {
  const { rows } = tallyNull([
    counted('quiet', runOf(['no_overhead'])),
    counted('quiet', runOf(['overhead'], above)),
    counted('drift', runOf(['inconclusive', 'overhead'])),
    lost('drift', 'refused'),
  ]);
  const row = (condition: string, metric: string) =>
    rows.find((each) => each.condition === condition && each.metric === metric);
  expect(row('quiet', 'verdict')).toMatchObject({ runs: 2, words: { overhead: 1, no_overhead: 1 } });
  expect(row('quiet', 'verdict')?.covering).toBeNull();
  expect(row('drift', 'verdict')).toMatchObject({ runs: 1, words: { overhead: 0, inconclusive: 1 } });
  expect(row('all', 'any_primary')).toMatchObject({ runs: 3, words: { overhead: 2 } });
  expect(row('all', 'throughput')).toMatchObject({ runs: 3, covering: 2, intervals: 3 });
  expect(row('quiet', 'cpu_at_load')).toMatchObject({ runs: 2, covering: 1 });
  // One of two: 1 − √0.975 to √0.975.
  expect(row('quiet', 'cpu_at_load')?.coveringShare?.lo).toBeCloseTo(1 - Math.sqrt(0.975), 12);
  expect(row('quiet', 'cpu_at_load')?.medianHalfWidth).toBeCloseTo(0.035, 12);
});

test('a metric that a run refuses, or has no interval for, is not counted for that run', () => {
  const { rows } = tallyNull([
    counted('quiet', runOf(['no_overhead', 'refused'])),
    counted('quiet', runOf(['refused', 'refused', 'refused'], null)),
  ]);
  const runsOf = (metric: string) => rows.find((row) => row.metric === metric)?.runs;
  const metrics = ['cpu_at_load', 'throughput', 'verdict', 'any_primary'];
  expect(metrics.map(runsOf)).toEqual([1, 0, 1, 1]);
  expect(rows.find(({ metric }) => metric === 'throughput')?.words.refused).toBe(2);
});

test('refused and failed attempts are counted separately', () => {
  const { losses } = tallyNull([
    counted('quiet', runOf([])),
    lost('quiet', 'refused'),
    lost('bursts', 'failed'),
  ]);
  expect(losses).toEqual([
    { bench: 'null', condition: 'all', counted: 1, refused: 1, failed: 1 },
    { bench: 'null', condition: 'quiet', counted: 1, refused: 1, failed: 0 },
    { bench: 'null', condition: 'drift', counted: 0, refused: 0, failed: 0 },
    { bench: 'null', condition: 'period two', counted: 0, refused: 0, failed: 0 },
    { bench: 'null', condition: 'bursts', counted: 0, refused: 0, failed: 1 },
  ]);
});

test('the table shows counts, shares and their intervals; nothing counted is said as such', () => {
  const { rows, losses } = tallyNull(Array.from({ length: 20 }, () => counted('quiet', runOf([]))));
  const text = printNull(rows, losses);
  expect(text).toMatch(
    /^quiet +Server CPU per transaction at load +0 of 20, 0 % \(0 to 17 %\) +0 +20 +0 +0 +20 of 20, 100 % \(83 to 100 %\) +±3\.00 %$/m,
  );
  expect(text).toMatch(/^drift +the verdict +none counted +0 +0 +0 +0$/m);
  expect(text).toContain('quiet: 20 runs counted; 0 refused and 0 failed do not count.');
});
