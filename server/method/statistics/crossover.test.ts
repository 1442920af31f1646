/** Protects the size from which HTTPS costs less than a given percentage. */
import { describe, expect, test } from 'vitest';
import { crossoverSize } from './crossover.ts';

const range = { from: 1000, to: 100_000 };
const plain = { offsetUs: 100, usPerByte: 0.01, recordUs: null };

describe('of straight lines', () => {
  // 150 + 0.01 S = 1.1 · (100 + 0.01 S) at S = 40,000.
  const secure = { offsetUs: 150, usPerByte: 0.01, recordUs: null };
  test('is where one line is a given multiple of the other', () => {
    expect(crossoverSize(plain, secure, 0.1, range)).toBeCloseTo(40_000, 6);
  });
  test('is the smallest size where it is below everywhere', () => {
    expect(crossoverSize(plain, secure, 0.6, range)).toBe(1000);
  });
  test('is none where it is still above at the largest', () => {
    expect(crossoverSize(plain, secure, 0.04, range)).toBeNaN();
  });
  test('is none where a byte costs too much more, whatever an offset below that of http says', () => {
    const steep = { offsetUs: 90, usPerByte: 0.012, recordUs: null };
    expect(crossoverSize(plain, steep, 0.1, range)).toBeNaN();
  });
});

describe('with records', () => {
  const secure = { offsetUs: 100, usPerByte: 0.01, recordUs: 20 };
  test('is inside a record, or where the one after a step begins', () => {
    // Two records cost 40 of 10 % of 100 + 0.01 S from S = 30,000; the third makes it 60, above until 50,000.
    expect(crossoverSize(plain, secure, 0.1, { from: 1000, to: 32_768 })).toBeCloseTo(30_000, 6);
    expect(crossoverSize(plain, secure, 0.1, { from: 1000, to: 32_769 })).toBeNaN();
    // From 98,305 on the seventh makes it 140, above 13 % of what 97,692 bytes take; six are 120, below from 82,308 on.
    expect(crossoverSize(plain, secure, 0.13, range)).toBeCloseTo(82_307.69, 1);
  });
  test('is the last of several roots, one a record', () => {
    // 20 k − 15 − 0.0015 S = 0: the second record crosses at 16,666.67, no later one comes back up.
    expect(crossoverSize(plain, secure, 0.15, range)).toBeCloseTo(16_666.67, 1);
  });
});
