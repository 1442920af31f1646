/** Protects `visits`: what its words ask for. */
import { expect, test } from 'vitest';
import { parseVisits } from './kind-verbs.ts';

test('visits search the built-in shop, or do a journey at two origins', () => {
  expect(parseVisits([])).toMatchObject({
    source: null,
    request: { target: { kind: 'storefront' }, blocks: 10 },
  });
  expect(
    parseVisits([
      'shop.spec.ts',
      '--http',
      'http://127.0.0.1:1',
      '--https',
      'https://localhost:2',
      '--rounds',
      '6',
      '--seed',
      '7',
    ]),
  ).toMatchObject({
    source: 'shop.spec.ts',
    request: { target: { http: 'http://127.0.0.1:1' }, blocks: 6, seed: 7 },
  });
});

test.each([
  [['--rounds', '5']],
  [['--http', 'http://127.0.0.1:1']],
  [['a.spec.ts', 'b.spec.ts']],
  [['--secret', 'name']],
])('%j is refused', (args) => {
  expect(() => parseVisits(args)).toThrow();
});
