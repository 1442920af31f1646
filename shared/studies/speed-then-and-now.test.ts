/** Protects what stands beside the report of 2011: only cells that asked for the same, with what differs, and the right factors. */
import { expect, test } from 'vitest';
import { type AbCounts, cellSettingsSchema } from '../kinds/servers/servers-result.ts';
import { malmgren2011 } from './malmgren-2011.ts';
import { besideMalmgren } from './speed-then-and-now.ts';

const settings = (change: object = {}) =>
  cellSettingsSchema.parse({ key: 'RSA-2048', concurrency: 320, cipher: 'AES-256-GCM', ...change });

const now: AbCounts = {
  ...malmgren2011,
  negotiated: { ...malmgren2011.negotiated, protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
};

test('the rate is that of the rounds with its interval, and the factor is to that of 2011', () => {
  const perS = { center: 17_683.4, lo: 17_000, hi: 18_400 };
  const rows = besideMalmgren(settings({ concurrency: 800 }), now, perS)?.rows ?? [];
  expect(rows[0]).toMatchObject({ earlier: 884.17, today: 17_683.4, interval: perS });
  expect(rows[0]?.factor).toBeCloseTo(20, 10);
  for (const { factor, interval } of rows.slice(1)) {
    expect(factor).toBeCloseTo(1, 5);
    expect(interval).toBeNull();
  }
  expect(rows.find(({ name }) => name === '99 % within')?.earlier).toBe(6949);
});

test('what differs is said', () => {
  const said = (change: object) => besideMalmgren(settings(change), now, null)?.sentences[1];
  expect(said({})).toBe(
    'This combination has TLSv1.3 with TLS_AES_256_GCM_SHA384 and 320 connections instead.',
  );
  expect(said({ key: 'P-256', concurrency: 800 })).toBe(
    'This combination has TLSv1.3 with TLS_AES_256_GCM_SHA384 and a key of P-256 instead.',
  );
});

test('a round without answers has neither times nor a ladder', () => {
  const rows = besideMalmgren(settings(), { ...now, timesMs: null, ladderMs: null }, null)?.rows;
  expect(rows?.map(({ name }) => name)).toEqual([
    'Requests per second',
    'Time per request, mean',
    'Transfer rate',
  ]);
});

test.each([{ server: 'apache' }, { keepAlive: false }, { document: 1000 }, { concurrency: 1 }])(
  'a cell with %j has no such report',
  (change) => {
    expect(besideMalmgren(settings(change), now, null)).toBeNull();
  },
);
