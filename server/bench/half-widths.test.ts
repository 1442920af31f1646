import { expect, test } from 'vitest';
import { blockInTest, disturbed } from '../run/block-in-test.ts';
import { firstSeconds, halfWidthsOfBlocks, pairedHalfWidths, unpairedHalfWidths } from './half-widths.ts';
import { printPrecision, tallyPrecision } from './precision-tally.ts';

/** Six slots of a second each. */
const sixSeconds = (index: number, reasons: typeof disturbed) =>
  blockInTest(index, 'steady', () => ({ load: { elapsedUs: 1e6 } }), reasons);

test('the first blocks are taken for as long as their slots fit, dropped ones included', () => {
  const blocks = Array.from({ length: 12 }, (_, index) => sixSeconds(index, index === 3 ? disturbed : []));
  expect(firstSeconds(blocks, 60).map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(firstSeconds(blocks, 59.9)).toHaveLength(9);
  expect(firstSeconds(blocks.slice(0, 2), 60)).toHaveLength(2);
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

test('medians are over the rounds that have both, and a method that is missing says none', () => {
  const both = (value: number) => ({ cpu_per_transaction: value, throughput: value });
  const rows = tallyPrecision(
    [
      { own: both(0.02), paired: both(0.04), unpaired: null },
      { own: both(0.01), paired: both(0.05), unpaired: null },
      { own: null, paired: both(0.9), unpaired: null },
    ],
    60,
  );
  const [own, paired, unpaired] = rows;
  expect(own).toMatchObject({ method: 'own', rounds: 2, halfWidth: 0.015, timesOurs: null });
  expect(paired).toMatchObject({ method: 'paired', rounds: 3, halfWidth: 0.05, timesOurs: 3.5 });
  expect(unpaired).toMatchObject({ rounds: 0, halfWidth: null, timesOurs: null });
  expect(printPrecision(rows)).toMatch(
    /^Server CPU per transaction +wrk, A then B, paired t +60 s +3 +±5\.00 % +3\.50$/m,
  );
});
