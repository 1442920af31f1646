/** Protects numbers as they are printed: units, digits and signs. */
import { describe, expect, test } from 'vitest';
import {
  estimateDecimals,
  printChange,
  printChangeInterval,
  printDifference,
  printNumber,
  printQuantity,
  scaleFor,
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
