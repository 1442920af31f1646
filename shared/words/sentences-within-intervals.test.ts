/** Protects the sentences of the lab: none claims more than its own interval. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Estimate } from '../base/units.ts';
import {
  type DistanceDocument,
  type DistancePlace,
  type DistanceRow,
  distanceSentences,
} from '../kinds/distance/distance.ts';
import { type HandshakeCell, type MeasuredCell, sentencesOf } from '../kinds/handshakes/handshakes.ts';

const spread = fc.double({ min: 0, max: 30, noNaN: true });
const estimate = fc
  .tuple(fc.double({ min: -20, max: 200, noNaN: true }), spread, spread)
  .map(([center, below, above]): Estimate => ({ center, lo: center - below, hi: center + above }));

test('a time is called added only if its interval excludes zero', () => {
  fc.assert(
    fc.property(estimate, estimate, (newer, older) => {
      const sentences = distanceSentences(distanceWith({ tls13: newer, tls12: older }));
      const claims = [sentences[0], sentences.find((each) => each.startsWith('TLS 1.2 adds'))];
      for (const [index, { lo, hi }] of [newer, older].entries()) {
        expect(claims[index]).toMatch(lo <= 0 && hi >= 0 ? /adds no measurable time/ : /adds −?\d/);
      }
    }),
  );
});

test('a handshake is called the most expensive only if its interval is above all others and above 1', () => {
  const ratio = fc
    .tuple(fc.double({ min: 0.5, max: 3, noNaN: true }), fc.double({ min: 0, max: 0.5, noNaN: true }))
    .map(([center, half]): Estimate => ({ center, lo: center - half, hi: center + half }));
  fc.assert(
    fc.property(fc.array(ratio, { minLength: 1, maxLength: 5 }), (ratios) => {
      const baseline = cellWith('baseline', { center: 1, lo: 1, hi: 1 });
      const cells = ratios.map((each, index) => cellWith(`cell ${index}`, each));
      const claim = sentencesOf({ cells: [baseline, ...cells], baseline }).find((each) =>
        each.includes('most expensive'),
      );
      const [highest, ...others] = ratios.toSorted((a, b) => b.center - a.center);
      if (highest === undefined || highest.lo <= 1) expect(claim).toBeUndefined();
      else if (others.some(({ hi }) => hi >= highest.lo)) expect(claim).toMatch(/^Among the most expensive/);
      else expect(claim).toMatch(/^The most expensive/);
    }),
  );
});

function distanceWith(more: Partial<Record<DistanceRow['connection'], Estimate>>) {
  const ms = { center: 100, lo: 90, hi: 110 };
  const rowOf = (connection: DistanceRow['connection']): DistanceRow => {
    const place: DistancePlace = {
      ...{ connections: 10, ms, roundTrips: null },
      overTcpMs: more[connection] ?? null,
    };
    return {
      connection,
      flights: 2,
      expected: null,
      here: place,
      places: [place],
      slope: null,
      reason: null,
    };
  };
  return {
    links: [{ roundTripMs: 40, mbitPerS: null, added: null }],
    rows: [rowOf('tcp'), rowOf('tls13'), rowOf('tls12')],
  } satisfies Pick<DistanceDocument, 'links' | 'rows'>;
}

function cellWith(id: string, ratio: Estimate): MeasuredCell {
  // A power of two, which rounds nothing: two that differ stay two.
  const us = 128 * ratio.center;
  const cpuUs = { median: us, mean: us, p5: us, p95: us } as MeasuredCell['cpuUs'];
  const cell = { id, version: 'TLSv1.3', key: 'P-256', group: 'X25519', resumption: 'full', bytes: 1 };
  return {
    status: 'measured',
    cell: cell as HandshakeCell,
    cpuUs,
    connectionsPerS: 1000,
    ratio,
  } as MeasuredCell;
}
