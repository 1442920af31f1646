/** Protects the one axis of a result: it ends where its results do, however wide an uncertain interval is. */
import { expect, test } from 'vitest';
import { shiftAxis } from './shift-axis.ts';

const row = (lo: number, center: number, hi: number, certain = true) => ({
  interval: { lo, center, hi },
  certain,
});
const rounded = ({ from, to }: { from: number; to: number }) =>
  [from, to].map((each) => Math.round(1000 * each) / 1000);

test('holds every certain interval, zero and the tolerance', () => {
  expect(rounded(shiftAxis([row(0.4, 0.43, 0.46), row(-0.31, -0.29, -0.28)], 0.05))).toEqual([-0.4, 0.6]);
  expect(rounded(shiftAxis([row(0.2, 0.21, 0.22)], 0.05))).toEqual([-0.1, 0.3]);
});

test('cuts what reaches far beyond them', () => {
  const axis = shiftAxis([row(0.4, 0.43, 0.46), row(-0.9, 2, 16_000, false)], 0.05);
  expect(axis.to).toBeLessThanOrEqual(1);
  expect(axis.from).toBeGreaterThanOrEqual(-1);
});

test('ends near the least of uncertain ones, and at the tolerance without any', () => {
  const axis = shiftAxis([row(-0.1, 0.02, 0.15, false), row(-900, 1, 1_600, false)], 0.05);
  expect(Math.max(-axis.from, axis.to)).toBeLessThanOrEqual(0.3);
  expect(rounded(shiftAxis([], 0.05))).toEqual([-0.1, 0.1]);
});

test.each([
  ['certain', row(0.4, 0.43, 0.46)],
  ['unclear', row(-0.1, 0.14, 0.43, false)],
  ['unclear, and wider than all others', row(-0.6, 0.3, 4, false)],
  ['within the tolerance', row(-0.01, 0.01, 0.03)],
] as const)('holds the headline that is %s, center and interval', (_outcome, headline) => {
  const others = [row(0.01, 0.02, 0.03), row(-0.2, 0.02, 0.2, false)];
  const { from, to } = shiftAxis([{ ...headline, whole: true }, ...others], 0.05);
  expect(from).toBeLessThanOrEqual(headline.interval.lo);
  expect(to).toBeGreaterThanOrEqual(headline.interval.hi);
});
