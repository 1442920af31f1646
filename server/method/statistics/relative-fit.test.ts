/** Protects least squares in percent where columns are nearly the same, and where they are the same. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitRelative, judgeLag, lagOf, type TurnUse } from './relative-fit.ts';

const sizes = Array.from({ length: 40 }, (_, index) => 5_000_000 + 123_457 * index);
const ones = sizes.map(() => 1);
const records = sizes.map((size) => Math.ceil(size / 16_384));

test('bytes and records of large documents can be told apart', () => {
  const times = sizes.map((size, row) => 80 + 0.002 * size + 3 * (records[row] ?? 0));
  const { coefficients = [], misses = [] } = fitRelative([ones, sizes, records], times) ?? {};
  expect(coefficients[0]).toBeCloseTo(80, 4);
  expect(coefficients[1]).toBeCloseTo(0.002, 9);
  expect(coefficients[2]).toBeCloseTo(3, 5);
  expect(Math.max(...misses.map(Math.abs))).toBeLessThan(1e-12);
});

test('terms that say the same are refused, and so are more terms than times', () => {
  expect(fitRelative([ones, sizes, ones], sizes)).toBeNull();
  expect(fitRelative([ones, [1, 2]], [5])).toBeNull();
});

test('deviations that the terms explain leave no residual, and what they miss remains', () => {
  const times = [10, 20, 30, 45];
  const fit = fitRelative(
    [
      [1, 1, 1, 1],
      [1, 2, 3, 4],
    ],
    times,
  );
  const explained = times.map((time, row) => (7 - row) / time);
  for (const rest of fit?.missesOf(explained) ?? [1]) expect(rest).toBeCloseTo(0, 12);
  const again = fit?.missesOf(fit.misses) ?? [];
  expect(again.map((miss) => miss.toFixed(12))).toEqual(fit?.misses.map((miss) => miss.toFixed(12)));
});

/** Protects which programs belong to no side: those that work after the requests, and no others. */

const orders = [
  ['A', 'B', 'N'],
  ['B', null, 'N', 'A'],
  ['N', 'A', 'B'],
  ['A', 'N', null, 'B'],
  ['B', 'A', 'N'],
];
const requestsOf: Record<string, number> = { A: 100, N: 110, B: 80 };

/** @param usedUs by the requests of a turn, those of the one before, and its length */
function turnsOf(
  usedUs: (turn: { arm: string | null; requests: number; before: number; ms: number }) => number,
): TurnUse[] {
  let before = 0;
  return orders.flat().map((arm, index) => {
    const [requests, ms] = [arm === null ? 0 : (requestsOf[arm] ?? 0) + (index % 3), 15 + (index % 2)];
    const turn = { arm, ms, requests, requestsBefore: before, usedUs: usedUs({ arm, requests, before, ms }) };
    before = requests;
    return turn;
  });
}

test('what follows the requests is told from what they cost, and from what is used anyway', () => {
  // A logger: 3 µs at once, 7 µs in the next turn, and 20 µs per ms whoever asks.
  const logger = turnsOf(({ requests, before, ms }) => 3 * requests + 7 * before + 20 * ms);
  expect(lagOf(logger)).toBeCloseTo(7, 8);
});

test('a side that costs more leaves no lag behind', () => {
  const dear = turnsOf(({ arm, requests }) => (arm === 'B' ? 90 : 30) * requests);
  expect(lagOf(dear)).toBeCloseTo(0, 8);
});

test('turns of which none follows a pause cannot tell', () => {
  const alike = [1, 2, 3, 4].map(() => ({
    ...{ usedUs: 50, ms: 15, arm: 'A', requests: 10, requestsBefore: 10 },
  }));
  expect(lagOf(alike)).toBeNull();
  expect(lagOf([])).toBeNull();
});

test('the lag does not depend on what the sides cost or on idle use', () => {
  const us = fc.double({ min: 0, max: 500, noNaN: true });
  fc.assert(
    fc.property(us, us, us, us, (costA, costB, idle, lag) => {
      const turns = turnsOf(
        ({ arm, requests, before, ms }) =>
          (arm === 'B' ? costB : costA) * requests + idle * ms + lag * before,
      );
      expect(lagOf(turns)).toBeCloseTo(lag, 5);
    }),
  );
});

const samples = (lags: readonly number[], costUs: number) => lags.map((lagUs) => ({ lagUs, costUs }));

test('it takes a tenth of the cost, and a clear t', () => {
  // Mean 12, standard deviation 2, error 2 ÷ √3: t = 10.4, P = 0.009 with two degrees.
  expect(judgeLag(samples([10, 12, 14], 100))).toBeNull();
  // Twice as many: error 1.79 ÷ √6, t = 16.4.
  expect(judgeLag(samples([10, 12, 14, 10, 12, 14], 100))).toBeCloseTo(12, 10);
  expect(judgeLag(samples([10, 12, 14, 10, 12, 14], 121))).toBeNull();
  // Mean 12, standard deviation 14.7, error 6.6: t = 1.8.
  expect(judgeLag(samples([30, -5, 12, 20, 3, 12], 30))).toBeNull();
  expect(judgeLag(samples([-12, -12, -12], 30))).toBeNull();
  expect(judgeLag([])).toBeNull();
});
