/** Protects pages of measurements from loading what they show twice, or never again after the server was away. */
import { expect, test } from 'vitest';
import { lateView } from './late-view.ts';

test('a view is loaded once, and is there for the next page', async () => {
  let loads = 0;
  const late = lateView(async () => ++loads);
  expect(late.current).toBeNull();
  await Promise.all([late.open(), late.open()]);
  expect(late.current).toBe(1);
  expect(await late.open()).toBe(1);
});

test('a view that could not be loaded is tried again', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve('view')];
  const late = lateView(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
  await expect(late.open()).rejects.toThrow('away');
  expect(late.current).toBeNull();
  expect(await late.open()).toBe('view');
  expect(late.current).toBe('view');
});

test('what failed stays the attempt of the page that asked, which React renders again at once', async () => {
  let loads = 0;
  const late = lateView(() => {
    loads += 1;
    return Promise.reject(new Error('away'));
  });
  await expect(late.open()).rejects.toThrow('away');
  await expect(late.attempt).rejects.toThrow('away');
  expect(loads).toBe(1);
});
