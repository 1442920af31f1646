/** Protects the place of a dashboard at an agent that many strangers connect to. */

import { expect, test } from 'vitest';
import { ConnectionLimit, TokenBucket } from './pinned-channel.ts';

/** Connections, by number, that come from an address at a time, and those that were sent away. */
function crowd(limit: ConnectionLimit) {
  const left: string[] = [];
  return {
    left,
    come: (id: string, address: string, nowMs: number) =>
      limit.admit(id, address, nowMs, () => left.push(id)),
  };
}

test('the oldest connection of the greediest address leaves first, never one with the token', () => {
  const limit = new ConnectionLimit(0, 4);
  const { come, left } = crowd(limit);
  expect(come('dashboard', '10.0.0.1', 0)).toBe(true);
  expect(limit.introduce('dashboard')).toBe(true);
  expect(come('shy', '10.0.0.2', 0)).toBe(true);
  for (let second = 0; second < 20; second++) {
    for (let index = 0; index < 10; index++) come(`${second}-${index}`, '10.0.0.3', second * 1000);
  }
  expect(left).toHaveLength(200 - 7);
  expect(left.slice(0, 2)).toEqual(['0-0', '0-1']);
  expect(left).not.toContain('shy');
  expect(left).not.toContain('dashboard');
});

test('one address gets in ten times a second, and does not reduce the share of others', () => {
  const { come } = crowd(new ConnectionLimit(0, 4));
  const flood = Array.from({ length: 100 }, (_, index) => come(`${index}`, '10.0.0.3', 0));
  expect(flood.filter(Boolean)).toHaveLength(10);
  expect(come('dashboard', '10.0.0.1', 0)).toBe(true);
});

test('an address that had the token before gets in, however many others there are', () => {
  const limit = new ConnectionLimit(0, 4);
  const { come } = crowd(limit);
  come('dashboard', '10.0.0.1', 0);
  limit.introduce('dashboard');
  limit.left('dashboard');
  const flood = Array.from({ length: 100 }, (_, index) => come(`${index}`, `10.1.0.${index}`, 0));
  expect(flood.filter(Boolean)).toHaveLength(39);
  expect(come('again', '10.0.0.1', 0)).toBe(true);
});

test('four connections can have the token at once', () => {
  const limit = new ConnectionLimit(0, 4);
  const { come } = crowd(limit);
  const places = [1, 2, 3, 4, 5].map((index) => {
    come(`${index}`, '10.0.0.1', 0);
    return limit.introduce(`${index}`);
  });
  expect(places).toEqual([true, true, true, true, false]);
});

/** Protects the target from questions: no more a second than the agent allows, however they come. */

test('as many at once as a second holds, then one whenever its part of a second has passed', () => {
  const bucket = new TokenBucket(4, 1000);
  expect(Array.from({ length: 6 }, () => bucket.take(1000))).toEqual([true, true, true, true, false, false]);
  expect(bucket.take(1249)).toBe(false);
  expect(bucket.take(1250)).toBe(true);
  expect(bucket.take(1251)).toBe(false);
});

test('nothing is saved up beyond a second', () => {
  const bucket = new TokenBucket(2, 0);
  expect(Array.from({ length: 4 }, () => bucket.take(60_000))).toEqual([true, true, false, false]);
});
