/** Protects the reading of /proc/net/tcp, on every byte order. */

import { expect, test } from 'vitest';
import { countSources, parseListening, sourceAddress } from './listeners.ts';

const header =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (local: string, state: string) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 1638 1 0000 100 0 0 10 0`;

test('a listening row gives address, port and inode', () => {
  expect(parseListening([header, row('0100007F:1F90', '0A'), ''].join('\n'), 'LE')).toEqual([
    { address: '7F000001', port: 8080, inode: '1638' },
  ]);
});

test('an established connection is no listener', () => {
  expect(parseListening([header, row('0100007F:1F90', '01')].join('\n'), 'LE')).toEqual([]);
});

test('an IPv6 address is four words', () => {
  const [socket] = parseListening(row('00000000000000000000000001000000:20FB', '0A'), 'LE');
  expect(socket?.address).toBe('00000000000000000000000000000001');
});

test('a big-endian kernel writes network order', () => {
  expect(parseListening(row('7F000001:1F90', '0A'), 'BE')[0]?.address).toBe('7F000001');
});

/** Protects where connections come from: from many loopback addresses where many are opened, each as often as another. */

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
