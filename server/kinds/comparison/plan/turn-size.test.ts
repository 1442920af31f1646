/** Protects turns that are read over a network: reading takes a fifth of the time at most, and turns stay short. */
import { expect, test } from 'vitest';
import { turnSize } from './turn-size.ts';

test.each([
  // A reading of 5 ms is followed by 20 ms of transactions of 5.2 ms; of 0.1 ms, by those of 4 ms less that.
  ['over 5 ms', { readingUs: 5000, readEveryUs: 4000 }, 5200, 5],
  ['over 5 ms, with a faster target', { readingUs: 5000, readEveryUs: 4000 }, 400, 50],
  ['on one machine', { readingUs: 100, readEveryUs: 4000 }, 100, 39],
  ['on one machine, with a slow target', { readingUs: 100, readEveryUs: 4000 }, 3000, 5],
  ['over a satellite', { readingUs: 600_000, readEveryUs: 4000 }, 500, 200],
])('%s', (_, source, transactionUs, expected) => {
  expect(turnSize(source, transactionUs)).toBe(expected);
});
