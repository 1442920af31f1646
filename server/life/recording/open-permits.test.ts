/** Protects the log of other hosts: every address that a request leads to is found. */
import { expect, test } from 'vitest';
import { addressesOf } from './open-permits.ts';

test('origins, twin, agent and exporter are found; a request without addresses has none', () => {
  const target = { kind: 'origins', http: 'http://a.test', https: 'https://b.test', twin: 'http://c.test' };
  expect(addressesOf({ target: { ...target, agent: { address: 'd.test:9123', fingerprint: '' } } })).toEqual([
    'http://a.test',
    'https://b.test',
    'http://c.test',
    'https://d.test:9123',
  ]);
  expect(addressesOf({ target: { prometheus: { url: 'http://e.test:9256/metrics' } } })).toEqual([
    'http://e.test:9256/metrics',
  ]);
  expect(addressesOf({ target: { kind: 'storefront' } })).toEqual([]);
  expect(addressesOf({ kind: 'speed' })).toEqual([]);
  expect(addressesOf(null)).toEqual([]);
});
