/** Protects the addresses of a path: there and back is where it began, and the sums of a packet stay right. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerTooLong, farNetwork, isTooLong, nearAddress, splitPacket, translate } from './packets.ts';

const server = Uint8Array.of(127, 0, 0, 1);
const serverAt = (place: number) => (place === 7 ? server : undefined);
const bytesOf = (address: string) => address.split('.').map(Number);

/** The header of virtio-net of a packet whose sums are complete. */
const virtio = Array.from({ length: 10 }, () => 0);

const tcp = {
  number: 6,
  sumAt: 16,
  head: [0x9c, 0x41, 0x1f, 0x90, 0, 0, 0, 1, 0, 0, 0, 2, 0x50, 0x18, 1, 0, 0, 0, 0, 0],
};
const udp = { number: 17, sumAt: 6, head: [0x9c, 0x41, 0x1f, 0x90, 0, 0, 0, 0] };
const icmp = { number: 1, sumAt: 2, head: [3, 3, 0, 0, 0, 0, 0, 0] };

/** A packet of IPv4 with right sums, behind its header of virtio-net. */
function packetOf(
  from: readonly number[],
  to: readonly number[],
  payload: readonly number[],
  protocol: typeof tcp = tcp,
): Uint8Array {
  const bytes = protocol.head.length + payload.length;
  const ip = [0x45, 0, ...wordOf(20 + bytes), 1, 2, 0x40, 0, 64, protocol.number, 0, 0, ...from, ...to];
  ip.splice(10, 2, ...wordOf(sumOf(ip)));
  const body = [...protocol.head, ...payload];
  if (protocol === udp) body.splice(4, 2, ...wordOf(bytes));
  const pseudo = protocol === icmp ? [] : pseudoOf(from, to, protocol.number, bytes);
  body.splice(protocol.sumAt, 2, ...wordOf(sumOf([...pseudo, ...body])));
  return Uint8Array.from([...virtio, ...ip, ...body]);
}

function pseudoOf(from: readonly number[], to: readonly number[], protocol: number, bytes: number): number[] {
  return [...from, ...to, 0, protocol, ...wordOf(bytes)];
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

const near = bytesOf(nearAddress(5, 7));
const at = { client: [127, 17, 3, 9], far: [127, 133, 31, 9], server: [...server] };

test.each([
  ['TCP', tcp],
  ['UDP', udp],
])(
  'a packet of the client with %s becomes one to the server’s own address, with right sums',
  (_, protocol) => {
    fc.assert(
      fc.property(fc.nat({ max: 3 }), fc.nat({ max: 255 }), payloads, (x, y, payload) => {
        const packet = packetOf([127, 17, x, y], near, payload, protocol);
        expect(translate(packet, serverAt)).toBe(7);
        expect([...packet]).toEqual([...packetOf([127, 133, 28 + x, y], [...server], payload, protocol)]);
      }),
    );
    expect(farNetwork(5, 7)).toBe('127.133.28.0/22');
  },
);

test.each([
  ['TCP', tcp],
  ['UDP', udp],
])('its answer with %s comes from where the client went to', (_, protocol) => {
  fc.assert(
    fc.property(fc.nat({ max: 3 }), fc.nat({ max: 255 }), payloads, (x, y, payload) => {
      const packet = packetOf([...server], [127, 133, 28 + x, y], payload, protocol);
      expect(translate(packet, serverAt)).toBe(-7);
      expect([...packet]).toEqual([...packetOf(near, [127, 17, x, y], payload, protocol)]);
    }),
  );
});

const udpSumAt = 36;

test('UDP without a sum stays without one, and no sum becomes 0, which would say so', () => {
  const without = packetOf(at.client, near, [1, 2, 3], udp);
  without.fill(0, udpSumAt, udpSumAt + 2);
  translate(without, serverAt);
  expect([...without.subarray(udpSumAt, udpSumAt + 2)]).toEqual([0, 0]);
  // A word of the payload that makes the sum at the server 0, as RFC 1071 computes it.
  const rest = wordOf(sumOf([...pseudoOf(at.far, at.server, 17, 10), 0x9c, 0x41, 0x1f, 0x90, 0, 10, 0, 0]));
  const packet = packetOf(at.client, near, rest, udp);
  translate(packet, serverAt);
  expect([...packet.subarray(udpSumAt, udpSumAt + 2)]).toEqual([0xff, 0xff]);
});

test('a later fragment has no sum of UDP', () => {
  const packet = packetOf(at.client, near, [1, 2, 3], udp);
  packet.set([0, 185], 16);
  const before = [...packet.subarray(30)];
  expect(translate(packet, serverAt)).toBe(7);
  expect([...packet.subarray(30)]).toEqual(before);
});

function wholeOf(packet: Uint8Array): Uint8Array {
  const buffer = new Uint8Array(1536);
  let whole = buffer.subarray(0, 0);
  splitPacket(
    packet,
    packet.length,
    () => buffer,
    (_, length) => {
      whole = buffer.subarray(0, length);
    },
  );
  return whole;
}

test('a sum of UDP that covers its pseudo header only is finished, so that the receiver can check it', () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      const right = packetOf(at.client, near, payload, udp);
      const partial = right.slice();
      partial.set([1, 0, 0, 0, 0, 0, 20, 0, 6, 0]);
      const pseudo = ~sumOf(pseudoOf(at.client, near, 17, 8 + payload.length)) & 0xffff;
      partial.set(wordOf(pseudo), udpSumAt);
      expect([...wholeOf(partial)]).toEqual([...right]);
      translate(partial, serverAt);
      expect([...wholeOf(partial)]).toEqual([...packetOf(at.far, at.server, payload, udp)]);
    }),
  );
  const zero = packetOf(at.client, near, [1, 2, 3], udp);
  zero.fill(0, udpSumAt, udpSumAt + 2);
  expect([...wholeOf(zero)]).toEqual([...zero]);
});

const quoteOf = (from: readonly number[], to: readonly number[]) => [
  ...packetOf(from, to, [1, 2, 3], udp).subarray(10, 30),
  ...[0x9c, 0x41, 0x1f, 0x90, 0, 11, 7, 7],
];

test('an error of ICMP and the packet that it quotes are translated, with right sums', () => {
  const toClient = packetOf(at.server, at.far, quoteOf(at.far, at.server), icmp);
  expect(translate(toClient, serverAt)).toBe(-7);
  expect([...toClient]).toEqual([...packetOf(near, at.client, quoteOf(at.client, near), icmp)]);
  const toServer = packetOf(at.client, near, quoteOf(near, at.client), icmp);
  expect(translate(toServer, serverAt)).toBe(7);
  expect([...toServer]).toEqual([...packetOf(at.far, at.server, quoteOf(at.server, at.far), icmp)]);
});

test('a packet that is too long is answered with the longest that would pass', () => {
  const bytes = (length: number) => Array.from({ length: length - 28 }, () => 7);
  const packet = packetOf(at.client, near, bytes(1501), udp);
  const fits = packetOf(at.client, near, bytes(1500), udp);
  expect([isTooLong(packet, packet.length), isTooLong(fits, fits.length)]).toEqual([true, false]);
  const tooLong = { ...icmp, head: [3, 4, 0, 0, 0, 0, ...wordOf(1500)] };
  const expected = packetOf(near, at.client, [...packet.subarray(10, 38)], { ...tooLong, number: 1 });
  const answer = answerTooLong(packet);
  expect(sumOf(answer.subarray(10, 30))).toBe(0);
  expect(sumOf(answer.subarray(30))).toBe(0);
  expect([...answer.subarray(34)]).toEqual([...expected.subarray(34)]);
  expect([...answer.subarray(22, 30)]).toEqual([...near, ...at.client]);
});

test('parts of a long packet of TCP are too long where their segments are', () => {
  const packet = packetOf(at.client, near, [], tcp);
  for (const [part, expected] of [
    [1460, false],
    [1461, true],
  ] as const) {
    packet.set([1, 1, 54, 0, part & 0xff, part >> 8]);
    expect(isTooLong(packet, 60_000)).toBe(expected);
  }
});

test.each([
  ['another protocol', { at: 19, byte: 41 }],
  ['a ping of ICMP', { at: 19, byte: 1 }],
  ['another version', { at: 10, byte: 0x60 }],
  ['a place where there is no server', { at: 29, byte: 8 }],
  ['another network', { at: 26, byte: 10 }],
  ['a client of another network', { at: 23, byte: 0 }],
])('%s is none of its packets', (_, { at, byte }) => {
  const packet = packetOf([127, 17, 0, 1], near, []);
  packet[at] = byte;
  const before = [...packet];
  expect(translate(packet, serverAt)).toBe(0);
  expect([...packet]).toEqual(before);
});
