/** Protects how a load is described: its users and who chose them, its turns, how busy each side was, and whether it changed. */
import { expect, test } from 'vitest';
import type { FairnessSide } from '../kinds/comparison/run.ts';
import { sampleAtLoad } from '../testing/sample-at-load.ts';
import { busyCoresInWords, changesOfLoad, describeLoad, printCores, titleOfLoad } from './side-words.ts';

const sides = {
  baseline: { transport: 'http', origin: null },
  comparison: { transport: 'https', origin: null },
} as const;
const busy = (maximum: number | null) =>
  ({ targetCpuPercent: { lockstep: 30, maximum, steady: null } }) as FairnessSide;

test('users, turns, what paces them and the busy cores are one sentence each', () => {
  const fairness = { baseline: busy(97), comparison: busy(98.4) };
  expect(describeLoad(sampleAtLoad, { sides, fairness })).toEqual([
    '8 users: doubled until adding users no longer helped, then doubled once more.',
    'They load one side for 15 ms, then the next, in random order.',
    'Each user starts its next transaction as soon as the last one ends.',
    'Busy cores of the server: HTTP 0.97 cores, HTTPS 0.98.',
  ]);
  expect(describeLoad({ ...sampleAtLoad, users: 1 })[1]).toMatch(/^It loads one side/);
});

test.each([
  ['asked', /^8 users: the number that was asked for\.$/],
  ['fixed', /^8 users: a fixed number, because /],
  ['known', /^8 users: the number that an earlier run /],
  ['most_served', /^8 users: the largest number whose connections the server answers at the same time\.$/],
  ['last_tried', /^8 users: the largest number tried; /],
] as const)('a load that was %s says so', (chosen, words) => {
  expect(describeLoad({ ...sampleAtLoad, chosen })[0]).toMatch(words);
});

test('longer turns have their reason, and a rate is named', () => {
  const sentences = describeLoad({ ...sampleAtLoad, burstMs: 250, longerFor: 'quota', ratePerS: 20 });
  expect(sentences[2]).toMatch(/^Turns are longer than 20 ms because the target has a CPU quota/);
  expect(sentences[3]).toBe('Each side gets 20 transactions/s.');
});

test('a load that replaces another one says since when that was in use', () => {
  const instead = { users: 8, at: Date.UTC(2026, 10, 24, 12) };
  const changed = { ...sampleAtLoad, users: 16, instead };
  expect(changesOfLoad(changed)).toEqual([
    'The load changed: 16 users instead of the 8 in use since 24 Nov.',
  ]);
  expect(changesOfLoad({ ...changed, users: 8 })).toEqual([
    'The load changed: still 8 users, but the server uses a different number of cores than on 24 Nov.',
  ]);
  expect(changesOfLoad(sampleAtLoad)).toEqual([]);
});

test('busy cores need both sides', () => {
  const known = { baseline: busy(97), comparison: busy(null) };
  expect(busyCoresInWords({ sides, fairness: known })).toBeNull();
  expect(busyCoresInWords({ sides, fairness: null })).toBeNull();
});

test('cores that were used are of those that could be', () => {
  expect(printCores(97.1, 1)).toBe('0.97 of 1 core');
  expect(printCores(162, 2)).toBe('1.62 of 2 cores');
  expect(printCores(97.1, null)).toBe('0.97 cores');
});

test('the title of a load names its users, and a rate replaces “at full load”', () => {
  expect(titleOfLoad(sampleAtLoad)).toBe('At full load, 8 users');
  expect(titleOfLoad(null)).toBe('At full load');
  expect(titleOfLoad({ ...sampleAtLoad, ratePerS: 2000 })).toBe('At 2,000 transactions/s, 8 users');
});
