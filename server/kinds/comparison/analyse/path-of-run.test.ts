/** Protects what is said of the path: how many round trips a transaction waits for, and what part of its latency they are. */
import { expect, test } from 'vitest';
import type { Arm } from '../../../../shared/base/transport.ts';
import { describePath } from '../../../../shared/kinds/comparison/path.ts';
import type { LoadResult } from '../../../../shared/kinds/comparison/slot.ts';
import { blockInTest } from '../../../testing/block-in-test.ts';
import { sampleRun } from '../../../testing/sample-run.ts';
import { pathOfRun } from './path-of-run.ts';

const { preflight, metrics, sides } = sampleRun({ launches: 1, epochs: 1 });
if (preflight === null) throw new Error('the sample run has no preflight');
const roundTrip = { connections: 7, minimumUs: 400, medianUs: 460 };
const elsewhere = {
  ...preflight,
  sides: {
    baseline: { ...preflight.sides.baseline, roundTrip },
    comparison: { ...preflight.sides.comparison, roundTrip },
  },
};
const metro = { roundTripMs: 5, mbitPerS: null, added: { pings: 50, median: 5.1, p5: 5, p95: 5.4 } };
const latency = metrics.map((row) =>
  row.id === 'latency_p50'
    ? {
        ...row,
        baseline: { center: 3000, lo: 2900, hi: 3100 },
        comparison: { center: 4000, lo: 3900, hi: 4100 },
      }
    : row,
);

/** A hundred transactions of three requests. */
const blocksOf = (loadOf: (arm: Arm) => Partial<LoadResult>) => [
  blockInTest(0, 'lockstep', (arm) => ({ load: loadOf(arm) })),
];
const kept = blocksOf(() => ({}));

test('on open connections a transaction waits for one round trip a request', () => {
  const path = pathOfRun({ preflight: elsewhere }, kept, latency);
  expect(path).toEqual({
    baseline: { roundTripUs: 400, roundTrips: 3, latencyUs: 3000 },
    comparison: { roundTripUs: 400, roundTrips: 3, latencyUs: 4000 },
  });
  expect(path && describePath(path, sides)).toBe(
    'HTTP: 3 round trips of 400 µs, 40 % of the median latency. HTTPS: 3 round trips of 400 µs, 30 % of the median latency.',
  );
});

test.each([
  ['TLSv1.3', 1],
  ['TLSv1.2', 2],
])('a new connection adds one round trip for TCP and, in %s, %i for TLS', (protocol, ofTls) => {
  const negotiated = { protocol, cipher: 'AES', group: null, key: null, alpn: null };
  const blocks = blocksOf((arm) => ({
    connectionsOpened: 100,
    ...(arm === 'comparison' ? { negotiated, handshakesFull: 100 } : {}),
  }));
  const path = pathOfRun({ preflight: elsewhere }, blocks, latency);
  expect(path?.baseline.roundTrips).toBe(4);
  expect(path?.comparison.roundTrips).toBe(4 + ofTls);
});

test('a link adds to the round trip what it took, and loopback has no path', () => {
  expect(pathOfRun({ preflight, link: metro }, kept, latency)?.baseline.roundTripUs).toBe(5100);
  expect(pathOfRun({ preflight: elsewhere, link: metro }, kept, latency)?.baseline.roundTripUs).toBe(5500);
  expect(pathOfRun({ preflight }, kept, latency)).toBeNull();
});
