/** Protects `record`: the addresses that it takes and refuses. */
import { expect, test } from 'vitest';
import { parseRecord } from './scenario-sources.ts';

test('record takes an address, with or without its scheme, or begins at the built-in shop', () => {
  expect(parseRecord([]).request.url).toBe('storefront');
  expect(parseRecord(['127.0.0.1:8080/shop', '--no-open'])).toMatchObject({
    request: { url: 'http://127.0.0.1:8080/shop' },
    open: false,
  });
  expect(parseRecord(['https://localhost:8443/']).request.url).toBe('https://localhost:8443/');
});

test.each([['file:///etc/passwd'], ['http://a/', 'http://b/'], ['--fast']])('%s is refused', (...args) => {
  expect(() => parseRecord(args)).toThrow();
});
