/** Protects singular and plural of counts. */
import { expect, test } from 'vitest';
import { printCount } from './count.ts';

test('one is singular, everything else plural', () => {
  expect(printCount(0, 'block')).toBe('0 blocks');
  expect(printCount(1, 'block')).toBe('1 block');
  expect(printCount(12_345, 'entry', 'entries')).toBe('12,345 entries');
});
