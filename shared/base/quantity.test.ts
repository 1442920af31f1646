/** Protects numbers as they are printed: units, digits and signs, and the ends and ticks of axes. */
import { describe, expect, test } from 'vitest';
import {
  estimateDecimals,
  niceTicks,
  printChange,
  printChangeInterval,
  printChangeTick,
  printDifference,
  printNumber,
  printQuantity,
  printRatioTick,
  ratioTicks,
  scaleFor,
  shiftAxis,
  usTicks,
} from './quantity.ts';

describe('a scale', () => {
  test('takes the largest unit that the row reaches, and decimals for its smallest value', () => {
    const scale = scaleFor('us', [1500, 1200], [26]);
    expect(scale).toEqual({ symbol: 'ms', divisor: 1000, decimals: 3 });
    expect(printQuantity(1500, scale)).toBe('1.500 ms');
    expect(printDifference(-26, scale)).toBe('−0.026 ms');
  });
  test('shows whole numbers when the values are large', () => {
    expect(printQuantity(84_123.4, scaleFor('transactions/s', [84_123.4]))).toBe('84,123 transactions/s');
  });
  test('of nothing but zeros is the smallest unit', () => {
    expect(printQuantity(0, scaleFor('bytes/s', [0, 0]))).toBe('0 B/s');
  });
});

test('a number that rounds to zero has no sign', () => {
  expect(printNumber(-0.01, 1)).toBe('0.0');
});

test('a ratio prints as the change it stands for', () => {
  expect(printChange(1.213)).toBe('+21 %');
  expect(printChange(0.984)).toBe('−1.6 %');
  expect(printChangeInterval({ center: 1.21, lo: 1.198, hi: 1.222 })).toBe('+19.8 to +22.2 %');
});

test('an interval that only just excludes no change does not print it', () => {
  expect(printChangeInterval({ center: 0.74, lo: 0.59, hi: 0.9971 })).toBe('−41.0 to −0.3 %');
  expect(printChangeInterval({ center: 1.2, lo: 1.0004, hi: 1.4 })).toBe('+0.04 to +40.00 %');
  expect(printChangeInterval({ center: 1.2, lo: 0.01, hi: 5e8 })).toBe('−99 to over +100,000 %');
  expect(printChangeInterval({ center: 1.2, lo: 0.9996, hi: 1.4 })).toBe('+0 to +40 %');
});

test('an estimate has the decimals of its half-width, more where an end would be rounded on to zero', () => {
  expect(estimateDecimals({ center: 80, lo: 70, hi: 90 }, 1000)).toBe(2);
  expect(estimateDecimals({ center: 21, lo: 19, hi: 23 })).toBe(0);
  expect(estimateDecimals({ center: 210, lo: 190, hi: 230 })).toBe(0);
  expect(estimateDecimals({ center: 1, lo: 0.04, hi: 1.96 })).toBe(2);
  expect(estimateDecimals({ center: -1, lo: -1.96, hi: -0.04 })).toBe(2);
  expect(estimateDecimals({ center: 1, lo: -0.04, hi: 2.04 })).toBe(0);
  expect(estimateDecimals({ center: 5, lo: 5, hi: 5 })).toBe(3);
});

const span = (lo: number, hi: number) => ({ lo, hi });
const widthOf = ({ lo, hi }: { lo: number; hi: number }) => hi - lo;

describe('the one axis of a table', () => {
  const outcomes = {
    certain: span(0.4, 0.46),
    negative: span(-0.46, -0.4),
    within: span(-0.01, 0.03),
    null: span(-0.02, 0.02),
    unclear: span(-0.1, 0.43),
    'unclear, and wider than all others': span(-0.6, 4),
    pooled: span(0.12, 0.14),
    'one-sided': span(0.0004, 0.9),
    'less by all but nothing': span(-0.999, -0.9),
    '±10,000 %': span(-0.99, 100),
    'of one point': span(0.09, 0.09),
  };
  const others = [span(0.01, 0.02), span(-0.3, 0.2), span(1.1, 1.2), span(-0.9, 8), span(-0.97, 1_600)];

  test.each(Object.entries(outcomes))(
    'contains a verdict that is %s, and cuts off only much wider rows',
    (_, headline) => {
      for (const beside of [[], ...others.map((each) => [each]), others]) {
        const { from, to } = shiftAxis([headline], beside, 0.05);
        expect(from).toBeLessThanOrEqual(Math.min(headline.lo, -0.05));
        expect(to).toBeGreaterThanOrEqual(Math.max(headline.hi, 0.05));
        const alone = shiftAxis([headline], [], 0.05);
        for (const other of beside) {
          const isCut = other.lo < from || other.hi > to;
          expect(isCut).toBe(widthOf(other) > 10 * (alone.to - alone.from));
        }
      }
    },
  );

  test('contains the narrowest row without a verdict, and the tolerance without rows', () => {
    expect(shiftAxis([], [span(-900, 1_600), span(-0.1, 0.15)], 0.05)).toEqual({ from: -0.1, to: 0.15 });
    const { from, to } = shiftAxis([], [], 0.05);
    expect([from < -0.05, to > 0.05]).toEqual([true, true]);
  });
});

test('ticks are round, evenly spaced and within the range', () => {
  expect(niceTicks(-0.012, 0.252, 4)).toEqual([0, 0.1, 0.2]);
  expect(niceTicks(-0.31, 0.11, 4)).toEqual([-0.2, 0]);
  expect(niceTicks(-0.0021, 0.0079, 4)).toEqual([0, 0.005]);
  expect(niceTicks(-0.03, 0.03, 4)).toEqual([-0.02, 0, 0.02]);
});

test('ticks of time differences share one unit', () => {
  expect([-200, 0, 400].map(usTicks(400))).toEqual(['−200 µs', '0 µs', '+400 µs']);
  expect([-500, 0, 1_500].map(usTicks(1_500))).toEqual(['−0.5 ms', '0 ms', '+1.5 ms']);
});

test.each([
  [0, '0 %'],
  [0.05, '+5 %'],
  [-0.1, '−10 %'],
  [0.025, '+2.5 %'],
  [0.0085, '+0.85 %'],
  [0.1 + 0.2, '+30 %'],
  [100, '+10,000 %'],
])('a tick at %d reads %s', (change, text) => {
  expect(printChangeTick(change)).toBe(text);
});

test.each([
  [0, '×1'],
  [0.2, '×1.2'],
  [-0.5, '×0.5'],
  [1, '×2'],
  [0.012, '×1.01'],
])('a ratio at a change of %d reads %s', (change, text) => {
  expect(printRatioTick(change)).toBe(text);
});

test.each([
  [0.95, 1.3, [1, 1.1, 1.2, 1.3]],
  [0.4, 2.5, [0.5, 1, 2]],
  [0.09, 11, [0.1, 0.2, 0.5, 1, 2, 5, 10]],
])('ticks of ratios from %d to %d', (from, to, ticks) => {
  expect(ratioTicks(from, to, 4)).toEqual(ticks);
});
