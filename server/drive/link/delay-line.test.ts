/** Protects when a link delivers: after the delay, in order, no faster than its rate. Times are exact, on a clock of the test's. */
import { expect, test } from 'vitest';
import { DelayLine } from './delay-line.ts';

/** Deliveries and their times: the line is asked at each time that it names. */
function drain(line: DelayLine, delivered: string[]): [number, string[]][] {
  const at: [number, string[]][] = [];
  for (let nowMs = line.nextMs; Number.isFinite(nowMs); nowMs = line.nextMs) {
    line.release(nowMs);
    at.push([nowMs, delivered.splice(0)]);
  }
  return at;
}

function fill(line: DelayLine, pieces: readonly [number, number, string][]): string[] {
  const delivered: string[] = [];
  for (const [nowMs, bytes, name] of pieces) line.enter(nowMs, bytes, () => delivered.push(name));
  return delivered;
}

test('without a rate, each piece leaves after the delay', () => {
  const line = new DelayLine(20, null);
  const delivered = fill(line, [
    [0, 1_000_000, 'a'],
    [3, 1, 'b'],
    [3, 1, 'c'],
  ]);
  expect(drain(line, delivered)).toEqual([
    [20, ['a']],
    [23, ['b', 'c']],
  ]);
});

test('with a rate, a piece waits for those before it and for its own bytes', () => {
  // 8 Mbit/s is 1,000 bytes a millisecond.
  const line = new DelayLine(20, 8);
  const delivered = fill(line, [
    [0, 2000, 'a'],
    [1, 3000, 'b'],
    [10, 1000, 'c'],
  ]);
  expect(drain(line, delivered)).toEqual([
    [22, ['a']],
    [25, ['b']],
    [31, ['c']],
  ]);
});

test('an end of bytes does not pass the bytes before it', () => {
  const line = new DelayLine(1, 8);
  const delivered = fill(line, [
    [0, 5000, 'bytes'],
    [0, 0, 'end'],
  ]);
  expect(drain(line, delivered)).toEqual([[6, ['bytes', 'end']]]);
});

test('what is not due stays', () => {
  const line = new DelayLine(20, null);
  const delivered = fill(line, [[0, 1, 'a']]);
  line.release(19.999);
  expect(delivered).toEqual([]);
  expect(line.nextMs).toBe(20);
});
