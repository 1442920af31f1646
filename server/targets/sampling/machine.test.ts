/** Protects what is said of the machine before a run: shares of the last ten seconds, while somebody looks. */
import { availableParallelism } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openMachineWatch } from './machine.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A machine of which a tenth is stolen and a fifth busy, a twentieth of it with this server. */
function readerOf() {
  let s = 0;
  return vi.fn(() => {
    const machineUs = s++ * 1e6 * availableParallelism();
    const host = { atUs: (s - 1) * 1e6, stealUs: machineUs / 10, busyUs: machineUs / 5 };
    return { host, ownUs: machineUs / 20 };
  });
}

test('nothing is known at the first look; then it tells of as many seconds as there were, ten at most', () => {
  const watch = openMachineWatch(readerOf());
  expect(watch.look()).toEqual({ overS: 0, stealRatio: null, foreignRatio: null });
  vi.advanceTimersByTime(2000);
  const early = watch.look();
  expect(early.overS).toBe(2);
  expect(early.stealRatio).toBeCloseTo(0.1);
  expect(early.foreignRatio).toBeCloseTo(0.15);
  vi.advanceTimersByTime(10_000);
  watch.look();
  vi.advanceTimersByTime(10_000);
  expect(watch.look().overS).toBe(10);
  watch.close();
});

test('it stops reading when nobody looks any more, and begins anew with the next look', () => {
  const read = readerOf();
  const watch = openMachineWatch(read);
  watch.look();
  vi.advanceTimersByTime(20_000);
  const calls = read.mock.calls.length;
  vi.advanceTimersByTime(60_000);
  expect(read).toHaveBeenCalledTimes(calls);
  expect(watch.look().overS).toBe(0);
  watch.close();
});

test('a machine without figures has none', () => {
  const watch = openMachineWatch(() => null);
  watch.look();
  vi.advanceTimersByTime(3000);
  expect(watch.look()).toEqual({ overS: 0, stealRatio: null, foreignRatio: null });
  watch.close();
});
