/** Protects the curve through the cost of a warming server: noise does not end a warm-up early or late. */
import { expect, test } from 'vitest';
import { fallingThrough } from './warm-up.ts';

test('neighbors that rise are one level, their mean by transactions, and the curve never rises', () => {
  const curve = [
    { log: 1, transactions: 50 },
    { log: 0.2, transactions: 25 },
    { log: 0.5, transactions: 75 },
    { log: 0, transactions: 300 },
    { log: 0.05, transactions: 100 },
  ];
  const level = (25 * 0.2 + 75 * 0.5) / 100;
  expect(fallingThrough(curve)).toEqual([1, level, level, 5 / 400, 5 / 400]);
});

test('a stretch that is dearer than all before it pulls them up with it', () => {
  const rising = [0.1, 0.2, 0.6].map((log) => ({ log, transactions: 10 }));
  for (const log of fallingThrough(rising)) expect(log).toBeCloseTo(0.3, 12);
});
