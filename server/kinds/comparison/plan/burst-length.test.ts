/** Protects how long a burst is: four transactions of each user, and never so long that a block would not hold a round. */
import { expect, test } from 'vitest';
import { burstLengthMs, burstOverHosts } from './burst-length.ts';
import { runArms } from './question.ts';

const plan = { arms: [...runArms], burstMs: 50, maximumMs: 1800, thinkMs: 0 };
const load = { users: 8, ratePerS: null };

test('is the plan’s where users have four transactions in it', () => {
  expect(burstLengthMs(plan, { ...load, perS: 20_000 })).toBe(50);
});

test('is four transactions of each user where those are slower', () => {
  expect(burstLengthMs(plan, { ...load, perS: 160 })).toBe(200);
  expect(burstLengthMs(plan, { users: 8, ratePerS: 100, perS: 5000 })).toBe(320);
});

test('leaves time for a round of all arms, however slow a transaction is', () => {
  expect(burstLengthMs(plan, { ...load, perS: 4 })).toBe(600);
  expect(burstLengthMs(plan, { ...load, perS: 0 })).toBe(600);
});

test('holds pauses of a user several times', () => {
  expect(burstLengthMs({ ...plan, thinkMs: 60 }, { ...load, perS: 20_000 })).toBe(300);
});

test.each([
  [50, 2000, 50],
  [50, 20_000, 180],
  [300, 20_000, 300],
  [50, 2_000_000, 6000],
])('bursts of %i ms over hosts that wait %i µs become %i ms', (burstMs, idleUs, expected) => {
  expect(burstOverHosts(burstMs, idleUs)).toBe(expected);
});
