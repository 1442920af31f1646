/** Protects what is said beside a verdict of differences that nobody asked for. */

import { expect, test } from 'vitest';
import { defaultTlsProfile } from '../base/tls-profile.ts';
import type { CountedConnections } from '../kinds/comparison/run.ts';
import { type RunRequestInput, runRequestSchema } from '../kinds/comparison/run-request.ts';
import { commonSettings, unaskedInWords } from './unasked-differences.ts';

function words(baseline: number, comparison: number) {
  const side = { negotiated: null, handshakes: { full: 0, resumed: 0 }, connections: 0 };
  const counted = (opened: number): CountedConnections => ({
    ...{ requests: 10_000, transactions: 10_000, opened, renegotiated: 0 },
    ...{ handshakesFull: 0, handshakesResumed: 0 },
  });
  const sides = { baseline: { transport: 'http' }, comparison: { transport: 'https' } } as const;
  return unaskedInWords({
    target: { kind: 'storefront' },
    asked: { sides, tls: defaultTlsProfile } as never,
    sides: {
      baseline: { ...sides.baseline, origin: null },
      comparison: { ...sides.comparison, origin: null },
    },
    ...{ tls: { baseline: side, comparison: side }, fairness: null, preflight: null },
    connections: { baseline: counted(baseline), comparison: counted(comparison) },
  });
}

test('a side whose connections were closed sooner is named, and chance is not', () => {
  expect(words(100, 200)).toBe(
    'The sides also differ in the new connections per request (0.01 → 0.02). Part of the difference may come from that.',
  );
  expect(words(100, 105)).toBeNull();
  expect(words(0, 8)).toBeNull();
});

/** Protects questions with the same sides from looking the same in a list. */

const of = (input: RunRequestInput) => commonSettings(runRequestSchema.parse(input));

test('what is as usual is not said', () => {
  expect(of({})).toEqual([]);
  expect(of({ target: 'nginx', length: 'fine', seed: 7, tolerance: 0.01 })).toEqual([]);
});

test('what both sides have in common is, and what they differ by is not', () => {
  const key = { kind: 'managed', server: 'nginx', key: 'RSA-2048' } as const;
  expect(of({ target: key, connectionPolicy: 'connection-per-transaction' })).toEqual([
    'one transaction per connection',
    'RSA-2048',
  ]);
  expect(of({ target: key, sides: { comparison: { target: { key: 'P-256' } } } })).toEqual([]);
  expect(of({ tls: { group: 'X25519' } })).toEqual(['X25519']);
  expect(of({ users: 64, link: 'metro' })).toEqual(['metro', 'Users: 64']);
  expect(of({ connectionPolicy: 'requests-per-connection', requestsPerConnection: 7 })).toEqual([
    'a fixed number of requests per connection',
    'Requests on a connection: 7',
  ]);
});
