/** Protects the age of a measurement as it is read. */
import { expect, test } from 'vitest';
import { printAgo, printClock, printWhen } from './when.ts';

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
