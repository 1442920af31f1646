/** Protects what a factor plan measures: every combination, one factor at a time, or listed cells; each cell once, and not too many. */
import { expect, test } from 'vitest';
import { describeSuite, suiteNames } from '../../base/cipher-suites.ts';
import { cellSuite, expandPlan } from './servers-cells.ts';
import { serversPresets } from './servers-presets.ts';
import { type FactorPlanInput, factorPlanSchema } from './servers-result.ts';

const expand = (plan: FactorPlanInput) => expandPlan(factorPlanSchema.parse(plan));

test('a grid has every combination of the levels, the others as in the base', () => {
  const cells = expand({
    shape: 'grid',
    base: { document: 1000, keepAlive: false },
    levels: { server: ['nginx', 'apache'], concurrency: [1, 8] },
  });
  expect(cells.map(({ settings }) => [settings.server, settings.concurrency])).toEqual([
    ['nginx', 1],
    ['nginx', 8],
    ['apache', 1],
    ['apache', 8],
  ]);
  expect(cells.every(({ settings }) => settings.document === 1000 && !settings.keepAlive)).toBe(true);
  expect(cells.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
});

test('one factor at a time is the base, and each other level alone', () => {
  const cells = expand({
    shape: 'each',
    levels: { key: ['P-256', 'RSA-2048'], cipher: [null, 'AES-256-GCM'] },
  });
  expect(cells.map(({ settings: { key, cipher } }) => [key, cipher])).toEqual([
    ['P-256', null],
    ['P-256', 'AES-256-GCM'],
    ['RSA-2048', null],
  ]);
});

test('cells that ask for the same are one: where connections stay open, nothing is resumed', () => {
  const cells = expand({ shape: 'grid', levels: { keepAlive: [true, false], resumption: [false, true] } });
  expect(cells.map(({ settings: { keepAlive, resumption } }) => [keepAlive, resumption])).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
});

test('names of cells differ', () => {
  const cells = expand(serversPresets.servers);
  expect(new Set(cells.map(({ id }) => id)).size).toBe(cells.length);
  expect(cells[0]?.id).toBe('nginx-tls13-aes128gcm-p256-keepalive-c1-5496');
});

test('the presets have as many cells as they say', () => {
  expect(expand(serversPresets.servers)).toHaveLength(108);
  expect(expand(serversPresets['malmgren-2011'])).toHaveLength(72);
});

test('a plan that explodes is refused, with its size', () => {
  const many = Array.from({ length: 20 }, (_, index) => index + 1);
  const plan: FactorPlanInput = {
    shape: 'grid',
    levels: {
      concurrency: many,
      document: many,
      key: ['P-256', 'RSA-2048'],
      server: ['nginx', 'apache', 'lighttpd', 'haproxy', 'node'],
      keepAlive: [true, false],
    },
  };
  expect(() => expand(plan)).toThrow('8,000 combinations');
});

test('each cipher is a suite that exists, of the protocol and for the key', () => {
  for (const protocol of ['TLSv1.3', 'TLSv1.2'] as const) {
    for (const key of ['P-256', 'RSA-2048'] as const) {
      for (const cipher of ['AES-128-GCM', 'AES-256-GCM', 'CHACHA20-POLY1305'] as const) {
        const suite = cellSuite({ protocol, cipher, key }) ?? '';
        expect(suiteNames).toContain(suite);
        const { versions, authentication } = describeSuite(suite);
        expect(versions).toContain(protocol);
        if (protocol === 'TLSv1.2') expect(authentication).toBe(key === 'P-256' ? 'ECDSA' : 'RSA');
      }
    }
  }
});
