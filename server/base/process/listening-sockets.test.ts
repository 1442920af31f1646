/** Protects the reading of /proc/net/tcp, on every byte order. */
import { expect, test } from 'vitest';
import { parseListening } from './listening-sockets.ts';

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
