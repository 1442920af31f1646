/** Protects the mark of visits: noisy for a reason that is said, and clean without one. */

import { expect, test } from 'vitest';
import { qualityOfVisits, visitSentences } from './visit-judgement.ts';
import type { VisitRow, VisitsBlock } from './visits.ts';

const row = (facts: Partial<VisitRow> = {}): VisitRow => ({
  ...{ pass: 'cold', time: 'loadUs', baseline: null, comparison: null, delta: null, pairs: [], reasons: [] },
  ...{ ratio: { center: 1.1, lo: 1.06, hi: 1.14 }, twinRatio: { center: 1, lo: 0.98, hi: 1.02 } },
  ...{ outcome: 'overhead' as const, ...facts },
});
const kept: VisitsBlock = { order: 'ABNNBA', visits: [], dropped: null };

test('visits are clean without a reason', () => {
  expect(qualityOfVisits({ blocks: [kept], rows: [row()] })).toEqual({ quality: 'clean', reasons: [] });
});

test('a block that was left out, a twin that differed, and a wide interval each make them noisy', () => {
  const blocks = [kept, { ...kept, dropped: 'A visit over http failed: it was not done.' }];
  const rows = [
    row({ ratio: { center: 1.1, lo: 0.95, hi: 1.3 }, twinRatio: { center: 0.9, lo: 0.85, hi: 0.95 } }),
  ];
  const { quality, reasons } = qualityOfVisits({ blocks, rows });
  expect(quality).toBe('noisy');
  expect(reasons).toEqual([
    '1 of 2 blocks were left out.',
    'The twin differed from the baseline by more than chance, so the machine moved the figures.',
    'Visits scattered: an interval is wider than ±10 %. Add blocks.',
  ]);
});

test('times that nothing rests on do not make them noisy', () => {
  const exploratory = row({ pass: 'warm', time: 'ttfbUs', ratio: { center: 1, lo: 0.5, hi: 2 } });
  expect(qualityOfVisits({ blocks: [kept], rows: [exploratory] }).quality).toBe('clean');
});

/** Protects the sentence about visits: their load on the first and the second visit. */

const sentenceRow = (facts: Partial<VisitRow>): VisitRow => ({
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
      sentenceRow({ pass: 'warm', outcome: 'inconclusive', ratio: { center: 1.01, lo: 0.9, hi: 1.14 } }),
      sentenceRow({}),
      sentenceRow({ time: 'ttfbUs' }),
    ]),
  ).toEqual([
    'Over HTTPS, the first visit takes 12 % longer to load (95 % CI +8.0 to +16.0 %).',
    'The effect of HTTPS on the load time of a second visit is inconclusive (95 % CI −10 to +14 %).',
  ]);
  expect(visitSentences([sentenceRow({ outcome: 'refused' }), sentenceRow({ ratio: null })])).toEqual([]);
});
