/** Protects how a load is said: what the server did in it, and why it was a rate. */
import { expect, test } from 'vitest';
import type { AtLoad } from '../kinds/comparison/at-load.ts';
import { describeLoad, printCores, titleOfLoad } from './at-load-words.ts';

const full: AtLoad = { users: 8, ratePerS: null, reason: null, burstMs: 50, cores: 1 };
const rated: AtLoad = { ...full, ratePerS: 2000, reason: 'generator', cores: 2 };

test('users, bursts and what paces them are one sentence each', () => {
  expect(describeLoad(full)).toEqual([
    'All 8 users load one side for 50 ms, then the next, in random order.',
    'Each user starts its next transaction as soon as the last one ends.',
  ]);
  expect(describeLoad({ ...full, users: 1 })[0]).toMatch(/^One user loads one side for 50 ms/);
});

test('a rate has its reason', () => {
  expect(describeLoad(rated)[1]).toBe(
    'Both sides get 2,000 transactions/s, because the load generator cannot keep the server busy.',
  );
  expect(describeLoad({ ...rated, reason: 'permit' })[1]).toMatch(/because the owner of the host/);
  expect(describeLoad({ ...rated, reason: null })[1]).toBe('Both sides get 2,000 transactions/s.');
});

test('cores that were used are of those that could be', () => {
  expect(printCores(97.1, 1)).toBe('0.97 of 1 core');
  expect(printCores(162, 2)).toBe('1.62 of 2 cores');
  expect(printCores(97.1, null)).toBe('0.97 cores');
});

test('a rate stands in place of “at load”, with how busy the server was', () => {
  expect(titleOfLoad(full, 97)).toBe('At load');
  expect(titleOfLoad(null, null)).toBe('At load');
  expect(titleOfLoad(rated, 62)).toBe('At 2,000 transactions/s, server 31 % busy');
  expect(titleOfLoad({ ...rated, cores: null }, 62)).toBe('At 2,000 transactions/s');
});
