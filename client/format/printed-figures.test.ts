/** Protects texts beside figures: times rounded to what they deserve, plurals, units that stay on their line, and shares. */
import { describe, expect, test } from 'vitest';
import {
  keepUnits,
  printAgo,
  printClock,
  printCount,
  printDuration,
  printPercent,
  printTimeLeft,
  printWhen,
} from './printed-figures.ts';

test.each([
  [0, '0 s'],
  [40.4, '40 s'],
  [60, '1 min'],
  [80, '1 min 20 s'],
  [600, '10 min'],
  [3600, '1 h'],
  [3900, '1 h 5 min'],
])('%d seconds read as %s', (seconds, text) => {
  expect(printDuration(seconds)).toBe(text);
});

describe('time left', () => {
  test('is rounded to what a guess deserves', () => {
    expect(printTimeLeft(41.7)).toBe('about 42 s left');
    expect(printTimeLeft(12.4)).toBe('about 12 s left');
    expect(printTimeLeft(170)).toBe('about 2 min 50 s left');
  });
  test('never says zero while the run goes on', () => {
    expect(printTimeLeft(0)).toBe('a moment left');
  });
});

test('one is singular, everything else plural', () => {
  expect(printCount(0, 'round')).toBe('0 rounds');
  expect(printCount(1, 'round')).toBe('1 round');
  expect(printCount(3, 'round')).toBe('3 rounds');
  expect(printCount(12_345, 'entry', 'entries')).toBe('12,345 entries');
});

test('a figure keeps its unit, and nothing else is joined', () => {
  expect(keepUnits('costs 51 µs, +12 % (10 to 15 %) of 2 cores in 3 steps')).toBe(
    'costs 51\u00a0µs, +12\u00a0% (10 to 15\u00a0%) of 2\u00a0cores in 3 steps',
  );
});

const now = Date.UTC(2026, 10, 21, 12, 0);

test.each([
  [20_000, 'just now'],
  [5 * 60_000, '5 min ago'],
  [59 * 60_000, '59 min ago'],
  [3 * 3_600_000, '3 h ago'],
])('%d ms ago reads as %s', (age, text) => {
  expect(printAgo(now - age, now)).toBe(text);
});

test('what is older than a day is a date', () => {
  const then = now - 3 * 86_400_000;
  expect(printAgo(then, now)).toBe(printWhen(then));
  expect(printWhen(then)).toContain('2026');
});

test('below its day a moment is a time', () => {
  expect(printClock(new Date(2026, 10, 21, 9, 5).getTime())).toBe('09:05');
});

test('a share has the digits asked for and no trailing zeros', () => {
  expect([0.05, 0.125, 1, 0].map((share) => printPercent(share))).toEqual(['5 %', '12.5 %', '100 %', '0 %']);
  expect([0.0634, 0.004, 0.28].map((share) => printPercent(share, 2))).toEqual(['6.3 %', '0.4 %', '28 %']);
});
