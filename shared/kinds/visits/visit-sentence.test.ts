/** Protects the sentence about visits: their load on the first and the second visit. */
import { expect, test } from 'vitest';
import { visitSentences } from './visit-sentence.ts';
import type { VisitRow } from './visits.ts';

const row = (facts: Partial<VisitRow>): VisitRow => ({
  ...{
    pass: 'cold',
    time: 'loadUs',
    baseline: null,
    comparison: null,
    delta: null,
    twinRatio: null,
    pairs: [],
    reasons: [],
  },
  ...{ ratio: { center: 1.12, lo: 1.08, hi: 1.16 }, outcome: 'overhead' },
  ...facts,
});

test('visits are told by their load, on the first visit and on the second', () => {
  expect(
    visitSentences([
      row({ pass: 'warm', outcome: 'inconclusive', ratio: { center: 1.01, lo: 0.9, hi: 1.14 } }),
      row({}),
      row({ time: 'ttfbUs' }),
    ]),
  ).toEqual([
    'Over HTTPS, the first visit takes 12 % longer to load (95 % CI +8.0 to +16.0 %).',
    'The effect of HTTPS on the load time of a second visit is inconclusive (95 % CI −10 to +14 %).',
  ]);
  expect(visitSentences([row({ outcome: 'refused' }), row({ ratio: null })])).toEqual([]);
});
