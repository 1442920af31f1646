/** Protects how long a burst is: four transactions of each user, and never so long that a block would not hold a round. */
import { expect, test } from 'vitest';
import { burstLengthMs } from './burst-length.ts';
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
