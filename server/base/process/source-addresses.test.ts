/** Protects where connections come from: from many loopback addresses where many are opened, each as often as another. */
import { expect, test } from 'vitest';
import { countSources, sourceAddress } from './source-addresses.ts';

const [wide, narrow] = [() => true, () => false];

test('connections to this machine come from many addresses where many are opened', () => {
  expect(countSources('127.0.0.1', true, wide)).toBe(1016);
  expect(countSources('127.0.0.1', true, narrow)).toBe(1);
  expect(countSources('::1', true, wide)).toBe(1);
  expect(countSources('10.1.0.5', true, wide)).toBe(1);
  expect(countSources('127.0.0.1', false, wide)).toBe(1);
});

test('each address comes once in a round, and is one of a host', () => {
  const round = Array.from({ length: 1016 }, (_, nth) => sourceAddress(nth));
  expect(new Set(round).size).toBe(1016);
  expect(
    round.every((address) => /^127\.17\.[0-3]\.([1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-4])$/.test(address)),
  ).toBe(true);
  expect(sourceAddress(1016)).toBe(round[0]);
  expect([round[0], round[1], round.at(-1)]).toEqual(['127.17.0.1', '127.17.0.2', '127.17.3.254']);
});
