/** Protects the access log from what visitors type: values are masked, their length is kept. */
import { expect, test } from 'vitest';
import { loggedTarget } from './exchange.ts';

test.each([
  ['/search?category=3', 200, '/search?category=x'],
  ['/search?q=a%20b&category=0&c', 200, '/search?q=xxxxx&category=x&x'],
  ['/search?a==b&=c', 200, '/search?a==x&=x'],
  ['/search', 200, '/search'],
  ['/key/abc?d', 404, '/xxx/xxx?x'],
])('%s with status %i is logged as %s', (target, status, logged) => {
  expect(loggedTarget(target, status)).toBe(logged);
  expect(logged).toHaveLength(target.length);
});
