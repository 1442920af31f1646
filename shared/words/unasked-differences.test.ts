/** Protects what is said beside a verdict of differences that nobody asked for. */
import { expect, test } from 'vitest';
import { defaultTlsProfile } from '../base/tls-profile.ts';
import type { CountedConnections } from '../kinds/comparison/run.ts';
import { unaskedInWords } from './unasked-differences.ts';

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
