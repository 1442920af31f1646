/** Protects the visit that is drawn: a real one near the median of its side, and none before both sides have one. */
import { expect, test } from 'vitest';
import type { Arm } from '../../../shared/base/transport.ts';
import { type SeenVisit, typicalVisits } from './typical-visits.ts';

const seen = (arm: Arm, loadUs: number): SeenVisit => {
  const pass = {
    ttfbUs: 1,
    fcpUs: null,
    lcpUs: null,
    loadUs,
    documents: 1,
    requests: 1,
    bytes: 1,
    cacheHits: 0,
  };
  const page = {
    path: `/${arm}-${loadUs}`,
    ttfbUs: 1,
    fcpUs: null,
    lcpUs: null,
    loadUs,
    requests: [],
    more: 0,
  };
  return { arm, cold: pass, warm: pass, waterfall: { cold: [page], warm: [] } };
};

test('of each side it is the visit nearest to the median, and a rare one moves nothing', () => {
  const visits = [
    ...[10, 12, 900].map((us) => seen('baseline', us)),
    ...[20, 21, 22].map((us) => seen('comparison', us)),
    seen('twin', 11),
  ];
  const typical = typicalVisits(visits);
  expect(typical?.baseline.cold[0]?.path).toBe('/baseline-12');
  expect(typical?.comparison.cold[0]?.path).toBe('/comparison-21');
});

test('there is none before both sides have one', () => {
  expect(typicalVisits([seen('baseline', 1), seen('twin', 2)])).toBeNull();
});
