/** Protects what is said of two separate measurements: no interval is narrower than theirs together. */
import { expect, test } from 'vitest';
import { differenceOf, quotientOf } from './estimate-arithmetic.ts';

const swapped = ({ center, lo, hi }: { center: number; lo: number; hi: number }) => ({
  ...{ center: -center, lo: -hi, hi: -lo },
});

test('reaches of 3 and 4 are one of 5', () => {
  const to = { center: 20, lo: 17, hi: 23 };
  const from = { center: 12, lo: 8, hi: 16 };
  expect(differenceOf(to, from)).toEqual({ center: 8, lo: 3, hi: 13 });
});

test('each side of an interval is made of the sides that pull there', () => {
  const to = { center: 10, lo: 7, hi: 22 };
  const from = { center: 4, lo: -1, hi: 8 };
  // Down: 3 of the one and 4 of the other; up: 12 and 5.
  expect(differenceOf(to, from)).toEqual({ center: 6, lo: 1, hi: 19 });
  expect(differenceOf(from, to)).toEqual(swapped(differenceOf(to, from)));
});

test('a quotient is a difference of logarithms, and its reciprocal the other way round', () => {
  const to = { center: 1.12, lo: 1.12 / Math.exp(0.03), hi: 1.12 * Math.exp(0.03) };
  const from = { center: 1.18, lo: 1.18 / Math.exp(0.04), hi: 1.18 * Math.exp(0.04) };
  const quotient = quotientOf(to, from);
  expect(quotient.center).toBeCloseTo(1.12 / 1.18, 12);
  expect(Math.log(quotient.hi / quotient.center)).toBeCloseTo(0.05, 12);
  expect(Math.log(quotient.center / quotient.lo)).toBeCloseTo(0.05, 12);
  expect(quotientOf(from, to).lo).toBeCloseTo(1 / quotient.hi, 12);
});

test('an end that is not known leaves the end that rests on it unknown', () => {
  const open = { center: 5, lo: Number.NaN, hi: 7 };
  const { lo, hi } = differenceOf(open, { center: 4, lo: 3, hi: 5 });
  expect(lo).toBeNaN();
  expect(hi).toBeCloseTo(1 + Math.sqrt(5), 12);
});
