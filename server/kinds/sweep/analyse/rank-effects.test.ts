/** Protects the ranking of a sweep: the largest certain effect leads, and what is not certain is not called none. */
import { expect, test } from 'vitest';
import type { Effect } from '../../../../shared/sweep-result.ts';
import { rankEffects } from './rank-effects.ts';

const effect = (change: Partial<Effect>): Effect => ({
  ...{ factor: 'cipher', metric: 'throughput', view: 'https', from: 'AES-128-GCM', to: 'AES-256-GCM' },
  ...{ pairs: 4, factorOf: { center: 1, lo: 0.99, hi: 1.013 }, pValue: 0.6, certain: false },
  ...change,
});

test('factors come by their largest certain effect, said of the faster level', () => {
  const effects = [
    effect({}),
    effect({
      ...{ factor: 'key', from: 'P-256', to: 'RSA-4096', certain: true },
      factorOf: { center: 0.4, lo: 0.35, hi: 0.45 },
    }),
    effect({
      ...{ factor: 'keepAlive', from: 'true', to: 'false', certain: true },
      factorOf: { center: 0.125, lo: 0.12, hi: 0.13 },
    }),
  ];
  expect(rankEffects(effects, 'throughput')).toEqual([
    'Keep-alive: 8.00× (7.69 to 8.33) with on against off.',
    'Key: 2.50× (2.22 to 2.86) with P-256 against RSA-4096.',
    'Cipher: no difference above 1.3 %.',
  ]);
});

test('a factor whose intervals reach beyond twice as much is not known yet', () => {
  expect(rankEffects([effect({ factorOf: { center: 1.1, lo: 0.3, hi: 4 } })], 'throughput')).toEqual([
    'Cipher: not known yet, up to 4.0×.',
  ]);
});

test('effects on another metric, or on what HTTPS adds, are left out', () => {
  expect(rankEffects([effect({ metric: 'cpu' }), effect({ view: 'overhead' })], 'throughput')).toEqual([]);
});
