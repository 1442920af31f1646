/** Protects durations and times left as they are read: rounded to what they deserve. */
import { describe, expect, test } from 'vitest';
import { printDuration, printTimeLeft } from './duration.ts';

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
