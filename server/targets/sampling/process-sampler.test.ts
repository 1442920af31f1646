/** Protects the share of CPU that is not ours. */
import { expect, test } from 'vitest';
import { hostUse, parseHost } from './process-sampler.ts';

const line = (user: number, steal: number) =>
  `cpu  ${user} 10 50 4000 30 2 3 ${steal} 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n`;

test('busy time leaves out idle, waiting, steal and the guests that are counted already', () => {
  expect(parseHost(line(100, 5), 0)).toEqual({ atUs: 0, busyUs: 165 * 10_000, stealUs: 50_000 });
});

test('foreign time is what is busy and not ours, as a share of all cores', () => {
  const before = parseHost(line(100, 5), 0);
  const after = parseHost(line(160, 9), 1_000_000);
  expect(hostUse(before, after, 200_000, 2)).toEqual({ stealRatio: 0.02, foreignRatio: 0.2 });
});

test('ticks that lag behind our own exact count give no negative share', () => {
  const before = parseHost(line(100, 5), 0);
  expect(hostUse(before, { ...before, atUs: 1000 }, 5000, 1)).toEqual({ stealRatio: 0, foreignRatio: 0 });
});
