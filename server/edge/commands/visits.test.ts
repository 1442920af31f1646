/** Protects `browse`: what its words ask for. */
import { expect, test } from 'vitest';
import { parseBrowse } from './visits.ts';

test('browse searches the built-in shop, or does a journey at two origins', () => {
  expect(parseBrowse([])).toMatchObject({ source: null, target: { kind: 'storefront' }, blocks: 10 });
  expect(
    parseBrowse([
      'shop.spec.ts',
      '--http',
      'http://127.0.0.1:1',
      '--https',
      'https://localhost:2',
      '--blocks',
      '6',
      '--seed',
      '7',
    ]),
  ).toMatchObject({ source: 'shop.spec.ts', target: { http: 'http://127.0.0.1:1' }, blocks: 6, seed: 7 });
});

test.each([
  [['--blocks', '5']],
  [['--http', 'http://127.0.0.1:1']],
  [['a.spec.ts', 'b.spec.ts']],
  [['--secret', 'name']],
])('%j is refused', (args) => {
  expect(() => parseBrowse(args)).toThrow();
});
