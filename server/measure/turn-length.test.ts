/** Protects turns that are read over a network: reading takes a fifth of the time at most, and turns stay short. */
import { expect, test } from 'vitest';
import { turnForGrain, turnSize } from './turn-length.ts';

test.each([
  // A reading of 5 ms is followed by 20 ms of transactions of 5.2 ms; of 0.1 ms, by those of 4 ms less that.
  ['over 5 ms', { readingUs: 5000, readEveryUs: 4000 }, 5200, 5],
  ['over 5 ms, with a faster target', { readingUs: 5000, readEveryUs: 4000 }, 400, 50],
  ['on one machine', { readingUs: 100, readEveryUs: 4000 }, 100, 39],
  ['on one machine, with a slow target', { readingUs: 100, readEveryUs: 4000 }, 3000, 5],
  ['on one machine, with one that takes seconds', { readingUs: 100, readEveryUs: 4000 }, 2e6, 1],
  ['over a satellite', { readingUs: 600_000, readEveryUs: 4000 }, 500, 200],
])('%s', (_, source, transactionUs, expected) => {
  expect(turnSize(source, transactionUs)).toBe(expected);
});

const micro = { stepUs: 1, readingCpuUs: 0 };
const ticks = { stepUs: 10_000, readingCpuUs: 0 };

test.each([
  // A hundred steps of 1 µs are one transaction of 100 µs; a hundred ticks are a second, 20 pages of 50 ms.
  ['microseconds', micro, 100, 500, 1],
  ['ticks under heavy pages', ticks, 50_000, 60_000, 20],
  ['a reading that costs the target 2 ms', { stepUs: 1, readingCpuUs: 2000 }, 500, 600, 40],
])('%s fit into a turn', (_, grain, cpuUs, transactionUs, transactions) => {
  expect(turnForGrain(grain, cpuUs, transactionUs)).toEqual({ transactions });
});

test.each([
  ['ticks under light pages', ticks, 100, 500, /steps of 10 ms, .* 200 transactions, uses 20 ms\./],
  ['whole seconds', { stepUs: 1e6, readingCpuUs: 0 }, 50_000, 60_000, /steps of 1\.0 s, .* 33 transactions/],
  ['no step yet', { stepUs: null, readingCpuUs: 0 }, 0, 500, /did not move/],
  ['dear readings', { stepUs: 1, readingCpuUs: 20_000 }, 100, 500, /costs the target 20 ms of CPU/],
  ['ticks at a low rate', ticks, 50_000, 1e6, /2 transactions, uses 100 ms/],
])('%s fit into none, and it is said why', (_, grain, cpuUs, transactionUs, refused) => {
  expect(turnForGrain(grain, cpuUs, transactionUs)).toEqual({ refused: expect.stringMatching(refused) });
});
