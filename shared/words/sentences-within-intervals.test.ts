/** Protects the sentences of the lab: none claims more than its own interval. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Estimate } from '../base/units.ts';
import {
  type DistanceDocument,
  type DistancePlace,
  type DistanceRow,
  distanceHeadline,
  distanceSentences,
} from '../kinds/distance/distance.ts';
import {
  type HandshakeCell,
  handshakesHeadline,
  type MeasuredCell,
  sentencesOf,
} from '../kinds/handshakes/handshakes.ts';

const spread = fc.double({ min: 0, max: 30, noNaN: true });
const estimate = fc
  .tuple(fc.double({ min: -20, max: 200, noNaN: true }), spread, spread)
  .map(([center, below, above]): Estimate => ({ center, lo: center - below, hi: center + above }));

test('a time is called added only if its interval excludes zero', () => {
  fc.assert(
    fc.property(estimate, estimate, (newer, older) => {
      const found = distanceWith({ tls13: newer, tls12: older });
      const title = distanceHeadline(found)?.title;
      const none = (each: Estimate) => each.lo <= 0 && each.hi >= 0;
      if (none(newer)) expect(title).toMatch(/does not measurably delay/);
      else
        expect(title).toMatch(newer.lo > 0 ? /delays the first byte by \d/ : /first byte \d\S* m?s sooner/);
      const claim = distanceSentences(found).find((each) => each.startsWith('TLS 1.2 adds'));
      expect(claim).toMatch(none(older) ? /adds no measurable time/ : /adds −?\d/);
    }),
  );
});

test('a full handshake costs more only if its interval excludes zero', () => {
  const share = fc.double({ min: 0.01, max: 0.4, noNaN: true });
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 1.5, noNaN: true }), share, share, (center, below, above) => {
      const baseline = cellWith('baseline', { center: 1, lo: 1, hi: 1 });
      const ratio = { center, lo: center - below, hi: center + above };
      const cell = { ...baseline.cell, id: 'resumed', resumption: 'resumed' as const };
      const headline = handshakesHeadline({ cells: [baseline, { ...baseline, cell, ratio }], baseline });
      const words =
        ratio.hi < 1 ? / more CPU than a resumed/ : ratio.lo > 1 ? / less CPU than a resumed/ : /^Probably /;
      expect(headline?.title).toMatch(words);
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
