/** Protects the split of a difference: its parts add up, or it is said that they do not. */
import { expect, test } from 'vitest';
import { attributeDelta, type Ingredients } from './attribute-delta.ts';

const exact = (value: number) => ({ center: value, lo: value, hi: value });

/** One full handshake of 300 µs and 10 kB at 2 ns a byte, of 400 µs in all. */
const given: Ingredients = {
  deltaUs: { center: 400, lo: 370, hi: 440 },
  fullPerTransaction: 1,
  resumedPerTransaction: 0,
  bytesPerTransaction: 10_000,
  fullUs: { center: 300, lo: 260, hi: 330 },
  resumedUs: null,
  bulkUsPerByte: exact(0.002),
};

test('what handshakes and bytes do not explain is the rest, and half-widths add in quadrature', () => {
  const { parts, addsUp, sentence } = attributeDelta(given);
  expect(parts.map(({ part, us, share }) => [part, us.center, share])).toEqual([
    ['handshakes', 300, 0.75],
    ['bulk', 20, 0.05],
    ['rest', 80, 0.2],
  ]);
  // 30 below the whole and 30 above the handshakes; 40 above the whole and 40 below the handshakes.
  expect(parts[2]?.us.lo).toBeCloseTo(80 - Math.hypot(30, 30));
  expect(parts[2]?.us.hi).toBeCloseTo(80 + Math.hypot(40, 40));
  expect(parts.map(({ formula }) => formula)).toEqual([
    '1.00 full × 300 µs',
    '10,000 bytes × 2.00 ns',
    '400 µs − 300 µs − 20 µs',
  ]);
  expect(addsUp).toBe(true);
  expect(sentence).toBe(
    'Of 400 µs more server CPU a transaction at load: handshakes 300 µs, encrypting the bytes 20 µs, and 80 µs (38 µs to 137 µs) for the rest, which is records, copies and system calls.',
  );
});

test('resumed connections cost their own', () => {
  const { parts } = attributeDelta({
    ...given,
    fullPerTransaction: 0.3,
    resumedPerTransaction: 0.7,
    resumedUs: exact(100),
  });
  expect(parts[0]?.us.center).toBeCloseTo(0.3 * 300 + 0.7 * 100);
  expect(parts[0]?.formula).toBe('0.300 full × 300 µs + 0.700 resumed × 100 µs');
});

test('parts that are surely more than the whole do not add up, and it is said', () => {
  const { addsUp, sentence } = attributeDelta({ ...given, deltaUs: { center: 100, lo: 80, hi: 120 } });
  expect(addsUp).toBe(false);
  expect(sentence).toMatch(/^The parts do not add up/);
});

test('parts that may be more than the whole within their intervals do add up', () => {
  expect(attributeDelta({ ...given, deltaUs: { center: 300, lo: 260, hi: 340 } }).addsUp).toBe(true);
});

test('a difference that may be none has no shares, and the sentence does not call it more', () => {
  const { parts, sentence } = attributeDelta({ ...given, deltaUs: { center: 310, lo: -20, hi: 640 } });
  expect(parts.every(({ share }) => share === null)).toBe(true);
  expect(sentence).toBe(
    'The run cannot tell its difference in server CPU at load from none (−20 µs to 640 µs a transaction). In the lab its parts cost: handshakes 300 µs, encrypting the bytes 20 µs a transaction.',
  );
});
