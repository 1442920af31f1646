/** Protects the mark of visits: noisy for a reason that is said, and clean without one. */

import { expect, test } from 'vitest';
import { qualityOfVisits, visitsHeadline, whereItPays } from './visit-judgement.ts';
import {
  sidesOfVisits,
  type VisitRow,
  type VisitsBlock,
  type VisitsFigures,
  visitsRequestSchema,
} from './visits.ts';

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
    '1 of 2 rounds were discarded.',
    'The control differed from the first side by more than chance, so the machine affected the figures.',
    'Visits varied: an interval is wider than ±10 %. Add rounds.',
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

const plainSides = { baseline: { transport: 'http' }, comparison: { transport: 'https' } } as const;
const headlineOf = (rows: VisitRow[], sides: VisitsFigures['sides'] = plainSides) =>
  visitsHeadline({ rows, sides, request });
const request = visitsRequestSchema.parse({ kind: 'visits' });

test('the headline shows the load time of the first visit, then that of a repeat visit', () => {
  const times = {
    baseline: { center: 422_000, lo: 400_000, hi: 440_000 },
    comparison: { center: 460_000, lo: 440_000, hi: 480_000 },
    delta: { center: 38_000, lo: 20_000, hi: 56_000 },
    ratio: { center: 1.09, lo: 1.05, hi: 1.13 },
  };
  const cold = sentenceRow(times);
  const warm = sentenceRow({ ...times, pass: 'warm', outcome: 'inconclusive' });
  expect(headlineOf([warm, cold, sentenceRow({ time: 'ttfbUs' })])).toEqual({
    title: 'A first visit over HTTPS takes 38 ms longer',
    second: '+9.0 % (422 → 460 ms); a repeat visit +38 ms, not certain',
    third: '95 % CI of the first visit: 20 to 56 ms, 5.0 to 13.0 %.',
  });
  expect(headlineOf([{ ...cold, outcome: 'no_overhead' }])?.title).toBe(
    'A first visit over HTTPS takes as long as over HTTP, within ±5 %',
  );
  expect(headlineOf([{ ...cold, outcome: 'inconclusive' }])).toMatchObject({
    title: 'Probably +38 ms (+9.0 %): between 20 and 56 ms. Not certain yet.',
    second: expect.stringMatching(/^Load of a first visit, HTTPS compared with HTTP \(422/),
  });
  expect(headlineOf([sentenceRow({ outcome: 'refused' })])).toBeNull();
  expect(headlineOf([sentenceRow({ ratio: null })])).toBeNull();
});

test('the headline names what both sides speak', () => {
  const faster = sentenceRow({
    baseline: { center: 460_000, lo: 440_000, hi: 480_000 },
    comparison: { center: 422_000, lo: 400_000, hi: 440_000 },
    delta: { center: -38_000, lo: -56_000, hi: -20_000 },
    ratio: { center: 0.917, lo: 0.88, hi: 0.957 },
  });
  const sides = sidesOfVisits({ baseline: 'h2', comparison: 'h3' });
  expect(headlineOf([faster], sides)?.title).toBe(
    'A first visit over HTTP/3 takes 38 ms less than over HTTP/2',
  );
  const alike = sidesOfVisits({ baseline: 'h3', comparison: 'h3' });
  expect(headlineOf([{ ...faster, outcome: 'no_overhead' }], alike)?.title).toBe(
    'A first visit over HTTP/3 B takes as long as over HTTP/3 A, within ±5 %',
  );
});

test('with several links the first is in the headline, and a sentence tells where the second side begins to pay', () => {
  const links = ['0.2ms', '100ms,1%', '20ms,1%'];
  const over = visitsRequestSchema.parse({ kind: 'visits', baseline: 'h2', comparison: 'h3', links });
  const sides = sidesOfVisits(over);
  const load = (link: number, center: number, outcome: VisitRow['outcome'] = 'overhead') =>
    sentenceRow({ link, outcome, ratio: { center, lo: center - 0.02, hi: center + 0.02 } });
  const judge = (...rows: VisitRow[]) => whereItPays({ rows, sides, request: over });
  expect(judge(load(0, 1.1), load(1, 0.7), load(2, 0.9))).toBe(
    'HTTP/3 begins to pay at 20 ms round trip, 1 % loss: on 2 of 3 links a first visit loads sooner over HTTP/3 than over HTTP/2, on 1 later. Each link is tested alone.',
  );
  expect(judge(load(0, 1.1), load(1, 0.9, 'inconclusive'))).toBe(
    'On none of 3 links a first visit certainly loads sooner over HTTP/3 than over HTTP/2, on 1 it loads later. Each link is tested alone.',
  );
  expect(whereItPays({ rows: [load(0, 0.9)], sides, request })).toBeNull();
});
