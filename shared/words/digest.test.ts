/** Protects what is said of a run away from its page: the digits of the page, and nothing that was refused. */

import { expect, test } from 'vitest';
import type { MetricComparison } from '../kinds/comparison/comparison.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { goldenRun } from '../testing/golden-run.ts';
import { sampleAtLoad } from '../testing/sample-at-load.ts';
import { sampleCpu } from '../testing/sample-metric.ts';
import { digestOf, withTitle } from './digest.ts';
import { headlineOfRun } from './headline.ts';

const run = goldenRun();

function cardOf(change: Partial<MetricComparison>) {
  const document: RunDocument = { ...run, metrics: [{ ...sampleCpu, ...change }] };
  return digestOf(document)?.compared?.cards[0];
}

test('the golden run leads with its verdict and its three primary metrics, CPU first', () => {
  const digest = digestOf(run);
  expect(digest).toMatchObject({ headline: headlineOfRun(run), outcome: run.verdict?.outcome });
  expect(digest?.compared?.sides).toEqual({ baseline: 'HTTP', comparison: 'HTTPS' });
  expect(digest?.compared?.cards.map(({ title }) => title)).toEqual([
    'Server CPU per transaction at full load',
    'Throughput',
    'Latency, median',
  ]);
});

test('a permitted host shows its rate as the load, as in the headline', () => {
  const permitted = { ...run, atLoad: { ...sampleAtLoad, ratePerS: 680 } };
  expect(digestOf(permitted)?.compared?.cards[0]?.title).toBe(
    'Server CPU per transaction at 680 transactions/s',
  );
});

test('a real change has its interval beside it', () => {
  expect(cardOf({})).toEqual({
    title: 'Server CPU per transaction at full load',
    baseline: '120.0 µs',
    comparison: '145.2 µs',
    change: '+21.0 %',
    range: '+20.0 to +22.2 %',
    real: true,
    word: 'Costs more',
    interval: { lo: expect.closeTo(0.2), center: expect.closeTo(0.21), hi: expect.closeTo(0.222) },
  });
});

test('a change that is not real is its interval alone', () => {
  expect(cardOf({ outcome: 'inconclusive' })).toMatchObject({
    change: '+20.0 to +22.2 %',
    range: '95 % CI',
    real: false,
    word: 'Unclear',
  });
});

test('of a refused change nothing is said but the word', () => {
  expect(cardOf({ outcome: 'refused' })).toMatchObject({
    change: '–',
    range: '',
    word: 'Not available',
    interval: null,
  });
});

test('a run without a verdict has no digest', () => {
  expect(digestOf({ ...run, verdict: null })).toBeNull();
  expect(digestOf({ ...run, state: 'incomplete' })).toBeNull();
});

test('the title that somebody gave stands in front of what was measured', () => {
  const digest = digestOf(run);
  if (digest === null) throw new Error('the sample has a verdict');
  expect(withTitle(digest, 'Before the upgrade').setting).toBe(`Before the upgrade: ${digest.setting}`);
  expect(withTitle(digest, null)).toBe(digest);
});
