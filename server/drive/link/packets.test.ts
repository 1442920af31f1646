/** Protects the addresses of a path: there and back is where it began, and the sums of a packet stay right. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { farNetwork, nearAddress, translate } from './packets.ts';

const server = Uint8Array.of(127, 0, 0, 1);
const serverAt = (place: number) => (place === 7 ? server : undefined);
const bytesOf = (address: string) => address.split('.').map(Number);

/** The header of virtio-net of a packet whose sums are complete. */
const virtio = Array.from({ length: 10 }, () => 0);

/** One packet of IPv4 and TCP with right sums, behind its header of virtio-net. */
function packetOf(from: readonly number[], to: readonly number[], payload: readonly number[]): Uint8Array {
  const packet = Uint8Array.from([
    ...[0x45, 0, 0, 40 + payload.length, 1, 2, 0x40, 0, 64, 6, 0, 0, ...from, ...to],
    ...[0x9c, 0x41, 0x1f, 0x90, 0, 0, 0, 1, 0, 0, 0, 2, 0x50, 0x18, 1, 0, 0, 0, 0, 0, ...payload],
  ]);
  const pseudo = [...from, ...to, 0, 6, 0, 20 + payload.length];
  packet.set(wordOf(sumOf(packet.subarray(0, 20))), 10);
  packet.set(wordOf(sumOf([...pseudo, ...packet.subarray(20)])), 36);
  return Uint8Array.from([...virtio, ...packet]);
}

/** RFC 1071. */
function sumOf(bytes: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
const wordOf = (sum: number) => [sum >> 8, sum & 0xff];

const payloads = fc.array(fc.nat({ max: 255 }), { maxLength: 60 });

test('a packet of the client becomes one to the server’s own address, with right sums', () => {
  fc.assert(
    fc.property(fc.nat({ max: 3 }), fc.nat({ max: 255 }), payloads, (x, y, payload) => {
      const packet = packetOf([127, 17, x, y], bytesOf(nearAddress(5, 7)), payload);
      expect(translate(packet, serverAt)).toBe(7);
      expect([...packet]).toEqual([...packetOf([127, 133, 28 + x, y], [127, 0, 0, 1], payload)]);
    }),
  );
  expect(farNetwork(5, 7)).toBe('127.133.28.0/22');
});

test('its answer comes from where the client went to', () => {
  fc.assert(
    fc.property(fc.nat({ max: 3 }), fc.nat({ max: 255 }), payloads, (x, y, payload) => {
      const packet = packetOf([127, 0, 0, 1], [127, 133, 28 + x, y], payload);
      expect(translate(packet, serverAt)).toBe(-7);
      expect([...packet]).toEqual([...packetOf(bytesOf(nearAddress(5, 7)), [127, 17, x, y], payload)]);
    }),
  );
});

test.each([
  ['another protocol', { at: 19, byte: 17 }],
  ['another version', { at: 10, byte: 0x60 }],
  ['a place where there is no server', { at: 29, byte: 8 }],
  ['another network', { at: 26, byte: 10 }],
  ['a client of another network', { at: 23, byte: 0 }],
])('%s is none of its packets', (_, { at, byte }) => {
  const packet = packetOf([127, 17, 0, 1], bytesOf(nearAddress(5, 7)), []);
  packet[at] = byte;
  const before = [...packet];
  expect(translate(packet, serverAt)).toBe(0);
  expect([...packet]).toEqual(before);
});
