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

test('sides that share a scheme need one address, and a server that is started takes its options', () => {
  const overUdp = ['--baseline', 'h2', '--comparison', 'h3'];
  expect(parseVisits([...overUdp, '--https', 'https://localhost:2']).request).toMatchObject({
    ...{ baseline: 'h2', comparison: 'h3', target: { https: 'https://localhost:2' } },
  });
  expect(
    parseVisits([...overUdp, '--target', 'caddy', '--objects', '3', '--workers', '2']).request,
  ).toMatchObject({ objects: 3, target: { kind: 'managed', server: 'caddy', workers: 2 } });
});

test.each([
  [['--baseline', 'h4']],
  [['--comparison', 'h3', '--https', 'https://localhost:2']],
  [['--workers', '2']],
  [['--rounds', '5']],
  [['--http', 'http://127.0.0.1:1']],
  [['a.spec.ts', 'b.spec.ts']],
  [['--secret', 'name']],
])('%j is refused', (args) => {
  expect(() => parseVisits(args)).toThrow();
});
