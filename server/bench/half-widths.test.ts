/** Protects `bench precision`: how narrow the intervals of each method would have been. */
import { expect, test } from 'vitest';
import { blockInTest, disturbed } from '../testing/block-in-test.ts';
import { halfWidthsOfBlocks, pairedHalfWidths, portionsOf, unpairedHalfWidths } from './half-widths.ts';
import { printPrecision, tallyPrecision } from './precision-tally.ts';

/** Six slots of a second each. */
const sixSeconds = (index: number, reasons: typeof disturbed) =>
  blockInTest(index, 'steady', () => ({ load: { elapsedUs: 1e6 } }), reasons);

test('blocks are taken in portions for as long as their slots fit, dropped ones included, and the rest is left out', () => {
  const blocks = Array.from({ length: 25 }, (_, index) => sixSeconds(index, index === 3 ? disturbed : []));
  const indexes = (seconds: number) =>
    portionsOf(blocks, seconds).map((portion) => portion.map(({ index }) => index));
  expect(indexes(60)).toEqual([
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
  ]);
  expect(indexes(59.9)[0]).toHaveLength(9);
  expect(indexes(151)).toEqual([]);
});

test('our half-widths are those that a run shows: the range of the ratios with six blocks', () => {
  const blocks = Array.from({ length: 6 }, (_, index) =>
    blockInTest(index, 'steady', (arm) => ({
      values: { cpu_per_transaction: arm === 'comparison' ? 100 + index : 100 },
    })),
  );
  const { cpu_per_transaction, throughput } = halfWidthsOfBlocks(blocks);
  expect(cpu_per_transaction).toBeCloseTo(0.025, 12);
  expect(throughput).toBeNull();
});

const windows = (cpu: number, perS: number) => ({ cpu_per_transaction: cpu, throughput: perS });

test('pairs that rise together are told narrowly when paired, and widely when not', () => {
  const pairs = [1, 2, 3, 4].map((level) => ({
    baseline: windows(100 * level, 1000),
    comparison: windows(120 * level, 900),
  }));
  expect(pairedHalfWidths(pairs).cpu_per_transaction).toBeCloseTo(0, 12);
  expect(unpairedHalfWidths(pairs).cpu_per_transaction).toBeGreaterThan(1);
  expect(unpairedHalfWidths(pairs).throughput).toBeCloseTo(0, 12);
});

test('a single pair has no interval', () => {
  const [pair] = [{ baseline: windows(100, 1000), comparison: windows(120, 900) }];
  expect(pairedHalfWidths([pair])).toEqual({ cpu_per_transaction: null, throughput: null });
  expect(unpairedHalfWidths([pair]).throughput).toBeNull();
});

test('medians are over the minutes with an interval, and a method that is missing says none', () => {
  const both = (value: number | null) => ({ cpu_per_transaction: value, throughput: value });
  const rows = tallyPrecision(
    { own: [both(0.02), both(null), both(0.01)], paired: [both(0.03), both(0.9), both(0.06)], unpaired: [] },
    60,
  );
  const [own, paired, unpaired] = rows;
  expect(own).toMatchObject({ method: 'own', minutes: 3, intervals: 2, halfWidth: 0.015, timesOurs: 1 });
  expect(paired).toMatchObject({ method: 'paired', intervals: 3, halfWidth: 0.06, timesOurs: 4 });
  expect(unpaired).toMatchObject({ minutes: 0, halfWidth: null, timesOurs: null });
  expect(printPrecision(rows)).toMatch(
    /^Server CPU per transaction +wrk, A then B, paired t +60 s +3 of 3 +±6\.00 % +4\.00$/m,
  );
});
