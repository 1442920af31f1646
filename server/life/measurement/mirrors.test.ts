/** Protects measurements: live runners keep theirs, and dead runners lose them. */
import { expect, test } from 'vitest';
import { leaseMs, openLeases } from './mirrors.ts';

/** Looks every two seconds from 0 on; `beatOf` is what stands in the database then. */
function look(until: number, beatOf: (now: number) => number | 'left' | undefined) {
  const leases = openLeases();
  for (let now = 0; now <= until; now += 2000) {
    const beat = beatOf(now);
    leases.observe(new Map(beat === undefined ? [] : [['one', beat]]), ['one'], now);
  }
  return leases.hasLapsed('one', until);
}

test('a session that beats keeps its lease', () => {
  expect(look(60_000, (now) => now)).toBe(false);
});

test('a session whose beat stops or is missing loses its lease when the lease time is over', () => {
  expect(look(leaseMs - 2000, () => 7)).toBe(false);
  expect(look(leaseMs, () => 7)).toBe(true);
  expect(look(leaseMs, () => undefined)).toBe(true);
});

test('a session that announces its end loses its lease at once', () => {
  expect(look(0, () => 'left')).toBe(true);
});

test('a late look starts the lease time again, because nobody could beat while the database was away', () => {
  const leases = openLeases();
  const beats = new Map([['one', 7]]);
  leases.observe(beats, [], 0);
  leases.observe(beats, [], 30_000);
  expect(leases.hasLapsed('one', 30_000)).toBe(false);
  for (let now = 32_000; now <= 40_000; now += 2000) leases.observe(beats, [], now);
  expect(leases.hasLapsed('one', 40_000)).toBe(true);
});
