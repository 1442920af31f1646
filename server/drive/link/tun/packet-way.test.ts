/** Protects which packets a path loses and drops: those that chance chooses, and those that find the queue full. */
import { expect, test } from 'vitest';
import { PacketWay } from './packet-way.ts';

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

test('a queue holds a round trip of the rate, and lets acknowledgments pass', () => {
  const way = new PacketWay({ roundTripMs: 100, mbitPerS: 8 }, never);
  const entered = Array.from({ length: 120 }, () => way.enter(0, 1000, () => {}));
  // The one that is being sent, and those that wait for 100 ms at most.
  expect(entered.filter(Boolean)).toHaveLength(101);
  expect(way.enter(0, 0, () => {})).toBe(true);
  expect(way).toMatchObject({ packets: 121, lost: 0, overflowed: 19 });
});

test('a first flight fits in the queue of the shortest path', () => {
  const way = new PacketWay({ roundTripMs: 0.1, mbitPerS: 0.1 }, never);
  const entered = Array.from({ length: 40 }, () => way.enter(0, 1448, () => {}));
  expect(entered.slice(0, 32)).not.toContain(false);
  expect(entered.at(-1)).toBe(false);
});

test('without a rate there is no queue', () => {
  const way = new PacketWay({ roundTripMs: 0.1, mbitPerS: null }, never);
  for (let i = 0; i < 1000; i++) expect(way.enter(0, 1448, () => {})).toBe(true);
});
