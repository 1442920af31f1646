/** Protects that work that never ends holds nothing once it is aborted. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { letGo } from './children.ts';

beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

const never = new Promise<string>(() => {});

test('work that ends is waited for, also after the signal', async () => {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const result = letGo(() => promise, controller.signal);
  controller.abort(new Error('stop'));
  await vi.advanceTimersByTimeAsync(1000);
  resolve('stopped well');
  await expect(result).resolves.toBe('stopped well');
  await expect(letGo(() => Promise.reject(new Error('failed')), controller.signal)).rejects.toThrow('failed');
  expect(vi.getTimerCount()).toBe(0);
});

test('work that never ends is let go 5 s after the signal, with its reason', async () => {
  const controller = new AbortController();
  const result = letGo(() => never, controller.signal);
  const ended = vi.fn();
  result.catch(ended);
  await vi.advanceTimersByTimeAsync(60_000);
  controller.abort(new Error('canceled'));
  await vi.advanceTimersByTimeAsync(4999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await expect(result).rejects.toThrow('canceled');
});
