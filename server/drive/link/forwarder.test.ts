/** Protects which packets a path loses and drops: those that chance chooses, and those that find the queue full. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PacketWay } from './forwarder.ts';
import { splitPacket } from './packets.ts';

const never = () => 0.999;

test('a packet is lost where chance is below the loss, and takes no time of the rate', () => {
  const chances = [0.5, 0.009, 0.01];
  const way = new PacketWay(
    { roundTripMs: 20, mbitPerS: 8, lossPercent: 1 },
    () => chances.shift() as number,
  );
  const delivered: string[] = [];
  const entered = ['a', 'b', 'c'].map((name) => way.enter(0, 1000, () => delivered.push(name)));
  expect(entered).toEqual([true, false, true]);
  // 8 Mbit/s is 1,000 bytes a millisecond, and half the round trip is 10 ms.
  way.line.release(11);
  expect(delivered).toEqual(['a']);
  way.line.release(12);
  expect(delivered).toEqual(['a', 'c']);
  expect(way).toMatchObject({ packets: 3, lost: 1, overflowed: 0 });
});

test('a queue holds a round trip of the rate', () => {
  const way = new PacketWay({ roundTripMs: 100, mbitPerS: 8 }, never);
  const entered = Array.from({ length: 120 }, () => way.enter(0, 1000, () => {}));
  // The one that is being sent, and those that wait for 100 ms at most.
  expect(entered.filter(Boolean)).toHaveLength(101);
  expect(way).toMatchObject({ packets: 120, lost: 0, overflowed: 19 });
});

test('a first flight fits in the queue of the shortest path', () => {
  const way = new PacketWay({ roundTripMs: 0.1, mbitPerS: 0.1 }, never);
  const entered = Array.from({ length: 40 }, () => way.enter(0, 1500, () => {}));
  expect(entered.slice(0, 32)).not.toContain(false);
  expect(entered.at(-1)).toBe(false);
});

test('without a rate there is no queue', () => {
  const way = new PacketWay({ roundTripMs: 0.1, mbitPerS: null }, never);
  for (let i = 0; i < 1000; i++) expect(way.enter(0, 1448, () => {})).toBe(true);
});

/** Protects that a long packet becomes what a network card would send of it: segments whose headers and sums are their own. */

const finPushAck = 0x19;
const ack = 0x10;

/** Behind a header of virtio-net that leaves the sum of TCP, and the splitting into parts, to others. */
function longPacket(payload: readonly number[], part: number, sequence: number, flags: number): Uint8Array {
  const ip = [0x45, 0, ...wordOf(40 + payload.length), 0xff, 0xfe, 0x40, 0, 64, 6, 0, 0, ...addresses];
  const tcp = [...[1, 2, 3, 4], ...sequenceOf(sequence), 0, 0, 0, 9, 0x50, flags, 1, 0, 0, 0, 0, 0];
  ip.splice(10, 2, ...wordOf(~sumOf(ip)));
  tcp.splice(16, 2, ...wordOf(sumOf([...addresses, 0, 6, ...wordOf(20 + payload.length)])));
  return Uint8Array.from([1, 1, 54, 0, part & 0xff, part >> 8, 20, 0, 16, 0, ...ip, ...tcp, ...payload]);
}

const addresses = [127, 17, 0, 1, 127, 64, 0, 1];
const wordOf = (word: number) => [(word >> 8) & 0xff, word & 0xff];
const sequenceOf = (sequence: number) => [...wordOf(sequence >>> 16), ...wordOf(sequence & 0xffff)];

/** RFC 1071, not inverted. */
function sumOf(bytes: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum;
}

function partsOf(packet: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  splitPacket(
    packet,
    packet.length,
    () => new Uint8Array(1536),
    (part, length) => parts.push(part.slice(0, length)),
  );
  return parts;
}

test('each part is a packet of its own: length, number, sequence, sums, and the flags of its place', () => {
  const payloads = fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 400 });
  const sequences = fc.nat({ max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(payloads, fc.integer({ min: 1, max: 150 }), sequences, (payload, part, sequence) => {
      const parts = partsOf(longPacket(payload, part, sequence, finPushAck));
      expect(parts).toHaveLength(Math.ceil(payload.length / part));
      for (const [nth, bytes] of parts.entries()) {
        const isLast = nth === parts.length - 1;
        const mine = payload.slice(nth * part, (nth + 1) * part);
        // No longer long, but with a sum of TCP that is still to be made.
        expect([...bytes.subarray(0, 10)]).toEqual([1, 0, 0, 0, 0, 0, 20, 0, 16, 0]);
        const view = new DataView(bytes.buffer);
        expect(view.getUint16(12)).toBe(40 + mine.length);
        expect(view.getUint16(14)).toBe((0xfffe + nth) & 0xffff);
        expect(view.getUint32(34)).toBe((sequence + nth * part) % 2 ** 32);
        expect(bytes[43]).toBe(isLast ? finPushAck : ack);
        expect(sumOf(bytes.subarray(10, 30))).toBe(0xffff);
        expect(view.getUint16(46)).toBe(sumOf([...addresses, 0, 6, ...wordOf(20 + mine.length)]));
        expect([...bytes.subarray(50)]).toEqual(mine);
      }
    }),
  );
});

test('a packet that is not long stays as it is, also without a byte for TCP to carry', () => {
  for (const payload of [[], [1, 2, 3]]) {
    const packet = longPacket(payload, 0, 1, ack);
    packet[1] = 0;
    expect(partsOf(packet)).toEqual([packet]);
  }
});

test('a long packet of another protocol, and one in parts of nothing, are dropped', () => {
  const other = longPacket([1, 2], 1, 1, ack);
  other[1] = 3;
  expect(partsOf(other)).toEqual([]);
  expect(partsOf(longPacket([1, 2], 0, 1, ack))).toEqual([]);
});

test('where there is no buffer left, the rest is dropped', () => {
  const buffers = [new Uint8Array(1536)];
  let parts = 0;
  const packet = longPacket([1, 2, 3], 1, 1, ack);
  splitPacket(
    packet,
    packet.length,
    () => buffers.pop() ?? null,
    () => {
      parts++;
    },
  );
  expect(parts).toBe(1);
});
