/** Protects the start of a target: one that takes too long is a problem, not an internal error. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLimit } from './resolve-origins.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a start that takes too long ends with a problem, not with an internal error', () => {
  const signal = startLimit();
  vi.advanceTimersByTime(59_999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.reason).toMatchObject({
    problem: { code: 'target_unreachable', detail: expect.stringContaining('within 60 s') },
  });
});
