/** Protects the rule by which a run stops early: narrow intervals, twice in a row. */
import { expect, test } from 'vitest';
import { type Look, shouldStop } from './stopping-rule.ts';

const plan = { launches: { minimum: 6, maximum: 8 }, epochs: { minimum: 2, maximum: 2 } };
const narrow: Look['halfWidths'] = {
  cpu_at_load: 0.015,
  throughput: 0.05,
  latency_p50: 0.02,
};
const looksWith = (...widths: Look['halfWidths'][]): Look[] =>
  widths.map((halfWidths, index) => ({ done: 6 + index, halfWidths }));

test('two narrow looks in a row stop the run, one does not', () => {
  expect(shouldStop(looksWith(narrow), plan)).toBe(false);
  expect(shouldStop(looksWith(narrow, narrow), plan)).toBe(true);
});

test('a wide look in between starts the count again', () => {
  const wide = { ...narrow, cpu_at_load: 0.016 };
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
  const { cpu_at_load: _, ...others } = narrow;
  expect(shouldStop(looksWith(others, others), plan)).toBe(true);
});

test('metrics without a target hold nothing up', () => {
  const look = { ...narrow, memory_peak: 3, ttfb_p50: null };
  expect(shouldStop(looksWith(look, look), plan)).toBe(true);
});

test('nothing stops before the fewest launches, or epochs where there is one launch', () => {
  const early = looksWith(narrow, narrow).map((look) => ({ ...look, done: look.done - 2 }));
  expect(shouldStop(early, plan)).toBe(false);
  expect(shouldStop([], plan)).toBe(false);
  const standing = { launches: { minimum: 1, maximum: 1 }, epochs: { minimum: 10, maximum: 22 } };
  expect(shouldStop(looksWith(narrow, narrow), standing)).toBe(false);
});
