/** Protects the rule by which a run stops early: narrow intervals, twice in a row. */
import { expect, test } from 'vitest';
import { type Look, shouldStop } from './stopping-rule.ts';

const plan = { blocksPerPoint: { minimum: 12, maximum: 18 } };
const narrow: Look['halfWidths'] = {
  cpu_per_transaction: 0.03,
  throughput: 0.05,
  latency_p50: 0.05,
  latency_p90: 0.1,
  latency_p99: 0.2,
};
const looksWith = (...widths: Look['halfWidths'][]): Look[] =>
  widths.map((halfWidths, index) => ({ blocksPerPoint: 12 + 2 * index, halfWidths }));

test('two narrow looks in a row stop the run, one does not', () => {
  expect(shouldStop(looksWith(narrow), plan)).toBe(false);
  expect(shouldStop(looksWith(narrow, narrow), plan)).toBe(true);
});

test('a wide look in between starts the count again', () => {
  const wide = { ...narrow, cpu_per_transaction: 0.031 };
  expect(shouldStop(looksWith(narrow, wide), plan)).toBe(false);
  expect(shouldStop(looksWith(narrow, wide, narrow), plan)).toBe(false);
  expect(shouldStop(looksWith(wide, narrow, narrow), plan)).toBe(true);
});

test('any metric with a target holds the run up, also one that has no interval yet', () => {
  for (const id of Object.keys(narrow)) {
    for (const width of [0.21, null]) {
      const held = { ...narrow, [id]: width };
      expect(shouldStop(looksWith(held, held), plan)).toBe(false);
    }
  }
});

test('a metric that cannot be measured here holds nothing up', () => {
  const { cpu_per_transaction: _, ...others } = narrow;
  expect(shouldStop(looksWith(others, others), plan)).toBe(true);
});

test('metrics without a target hold nothing up', () => {
  const look = { ...narrow, memory_peak: 3, ttfb_p50: null };
  expect(shouldStop(looksWith(look, look), plan)).toBe(true);
});

test('nothing stops before the least number of blocks', () => {
  const early = looksWith(narrow, narrow).map((look) => ({
    ...look,
    blocksPerPoint: look.blocksPerPoint - 4,
  }));
  expect(shouldStop(early, plan)).toBe(false);
  expect(shouldStop([], plan)).toBe(false);
});
