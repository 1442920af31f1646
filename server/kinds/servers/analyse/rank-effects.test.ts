/** Protects the ranking of a sweep: the largest certain effect leads, and what is not certain is not called none. */
import { expect, test } from 'vitest';
import type { Effect } from '../../../../shared/kinds/servers/servers-result.ts';
import { rankEffects } from './rank-effects.ts';

const effect = (change: Partial<Effect>): Effect => ({
  ...{ factor: 'cipher', metric: 'cpu', view: 'https', from: 'AES-128-GCM', to: 'AES-256-GCM' },
  ...{ pairs: 4, factorOf: { center: 1, lo: 0.99, hi: 1.013 }, pValue: 0.6, certain: false },
  ...change,
});

test('factors come by their largest certain effect on server CPU, said of the dearer level', () => {
  const effects = [
    effect({}),
    effect({
      ...{ factor: 'key', from: 'P-256', to: 'RSA-4096', certain: true },
      factorOf: { center: 2.5, lo: 2.22, hi: 2.86 },
    }),
    effect({
      ...{ factor: 'keepAlive', from: 'true', to: 'false', certain: true },
      factorOf: { center: 8, lo: 7.69, hi: 8.33 },
    }),
    effect({
      ...{ factor: 'concurrency', metric: 'throughput', from: '1', to: '32', certain: true },
      factorOf: { center: 50, lo: 40, hi: 60 },
    }),
  ];
  expect(rankEffects(effects)).toEqual([
    'Keep-alive matters most: off has 8.00 times the server CPU at load of on (95 % CI 7.69 to 8.33).',
    'Key: RSA-4096 has 2.50 times the server CPU at load of P-256 (95 % CI 2.22 to 2.86).',
    'Cipher: no difference above 1.3 %.',
  ]);
});

test('where CPU cannot be read it goes by requests per second, said of the faster level', () => {
  const slower = effect({
    ...{ factor: 'key', metric: 'throughput', from: 'P-256', to: 'RSA-4096', certain: true },
    factorOf: { center: 0.4, lo: 0.35, hi: 0.45 },
  });
  expect(rankEffects([slower])).toEqual([
    'Key: P-256 has 2.50 times the requests per second of RSA-4096 (95 % CI 2.22 to 2.86).',
  ]);
});

test('a factor whose intervals reach beyond twice as much is not known yet', () => {
  expect(rankEffects([effect({ factorOf: { center: 1.1, lo: 0.3, hi: 4 } })])).toEqual([
    'Cipher: not known yet, up to 4.0×.',
  ]);
});

test('effects on another metric, or on what HTTPS adds, are left out', () => {
  expect(rankEffects([effect({ metric: 'latency' }), effect({ view: 'overhead' })])).toEqual([]);
});
