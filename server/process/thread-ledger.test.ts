/** Protects CPU time from threads that come, go, and use an id again. */
import { expect, test } from 'vitest';
import { gained } from './thread-ledger.ts';

test('a thread adds what it gained, a new one all it has, an ended one nothing', () => {
  const before = new Map([
    [1, 100],
    [2, 50],
  ]);
  const after = new Map([
    [1, 130],
    [3, 7],
  ]);
  expect(gained(before, after)).toBe(37);
});

test('a thread id that was used again counts from zero', () => {
  expect(gained(new Map([[9, 1000]]), new Map([[9, 4]]))).toBe(4);
});
