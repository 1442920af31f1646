/** Protects the clock of another host: it is known to half of the shortest round trip, whatever the others were. */
import { expect, test } from 'vitest';
import { ClockEstimate } from './joined-host.ts';

/** Adds a trip with these one-way times, µs, of a host whose clock is ahead by `aheadUs`. */
function add(clock: ClockEstimate, aheadUs: number, thereUs: number, backUs: number, wallAheadMs = 0): void {
  const sentUs = 1_000_000;
  const receivedUs = sentUs + thereUs + backUs;
  const there = { atUs: sentUs + thereUs + aheadUs, wallMs: 5000 + thereUs / 1000 + wallAheadMs };
  clock.add(sentUs, receivedUs, there, 5000 + (thereUs + backUs) / 1000);
}

test('the shortest trip says the offset, and half of it how exact that is', () => {
  const clock = new ClockEstimate();
  add(clock, 7_000_000, 900, 100);
  add(clock, 7_000_000, 110, 90);
  for (let trip = 0; trip < 4; trip++) add(clock, 7_000_000, 20_000, 400);
  expect(clock.offsetUs).toBe(7_000_010);
  expect(clock.describe()).toEqual({ offsetMs: 0, withinUs: 100, roundTripUs: 20_400 });
  expect(clock.usualTripUs).toBe(20_400);
});

test('it is not known from a few trips, and old ones are forgotten', () => {
  const clock = new ClockEstimate();
  for (let trip = 0; trip < 4; trip++) add(clock, -300, 10, 10);
  expect(clock.describe()).toBeNull();
  for (let trip = 0; trip < 24; trip++) add(clock, 500, 50, 50);
  expect(clock.offsetUs).toBe(500);
});

test('a time of day that is set anew moves what is shown, never when a burst begins', () => {
  const clock = new ClockEstimate();
  for (let trip = 0; trip < 24; trip++) add(clock, 500, 50, 50, trip < 12 ? 0 : 5000);
  for (let trip = 0; trip < 24; trip++) add(clock, 500, 50, 50, 5000);
  expect(clock.offsetUs).toBe(500);
  expect(clock.describe()?.offsetMs).toBe(5000);
});
