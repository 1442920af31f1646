/** Protects what lists say of a run that has earlier ones of its question: one number, and over how many runs. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret

import { expect, test } from 'vitest';
import type { Pool } from '../../../shared/kinds/comparison/past.ts';
import { maskSecrets } from '../../intake/traffic/redaction.ts';
import { blockInTest } from '../../testing/block-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { maskBlock, summaryOf } from './run-summary.ts';

const run = sampleRun();
const runs = ['a', 'b', 'c'].map((letter) => letter.repeat(22));
const pool: Pool = {
  metrics: {
    cpu_at_load: {
      ...{ ratio: { center: 1.43, lo: 1.42, hi: 1.44 }, outcome: 'overhead', runs, between: 0.01 },
    },
  },
  leftOut: [],
};

test('the list shows the figures of the headline, pooled if there are several runs', () => {
  const { verdict, found } = summaryOf({ ...run, pool });
  expect(found).toMatchObject({ metric: 'cpu_at_load', outcome: 'overhead', ratio: { center: 1.43 } });
  expect(verdict).toEqual(run.verdict);
  const row = run.metrics.find(({ id }) => id === 'cpu_at_load');
  expect(summaryOf(run).found?.ratio).toEqual(row?.ratio);
});

test('runs that are unclear together show their best guess', () => {
  const ratio = { center: 1.02, lo: 0.98, hi: 1.06 };
  const inconclusive = { ratio, outcome: 'inconclusive', runs, between: 0.01 } as const;
  const { found } = summaryOf({ ...run, pool: { metrics: { cpu_at_load: inconclusive }, leftOut: [] } });
  expect(found).toMatchObject({ outcome: 'inconclusive', amount: expect.stringMatching(/^\+\d.* µs$/) });
});

/** Protects the values of secrets in stored blocks. */

test('errors and reasons hold no secret; histograms stay as they are, whatever letters they have', () => {
  const block = blockInTest(0, 'steady', () => ({}));
  const [slot] = block.slots;
  if (slot === undefined) throw new Error('the block has no slot');
  const histogram = slot.load.latencyHistogram;
  const mask = maskSecrets({ word: histogram.slice(4, 12), step: 'sesame' });
  const error = {
    transport: 'http',
    step: 'a',
    outcome: 'check_failed',
    detail: 'no sesame',
    count: 1,
  } as const;
  const spoilt = { ...block, slots: [{ ...slot, load: { ...slot.load, errors: [error] } }] };
  const masked = maskBlock(spoilt, mask);
  expect(masked.slots[0]?.load.errors[0]?.detail).toBe('no ${secret:step}');
  expect(masked.slots[0]?.load.latencyHistogram).toBe(histogram);
});
